/// The client identifier and secret that the provider issued (RFC 6749 §2.3.1); the secret does not print.
package struct ClientCredentials: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    package let identifier: String
    let secret: String

    package init(identifier: String, secret: String) {
        self.identifier = identifier
        self.secret = secret
    }

    package var description: String { "\(identifier):<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: ["identifier": identifier]) }
}
