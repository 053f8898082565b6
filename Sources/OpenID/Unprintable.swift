/// A value whose content must not reach a log: neither its description nor its mirror shows any.
package protocol Unprintable: CustomStringConvertible, CustomReflectable {}

extension Unprintable {
    package var description: String { "\(Self.self)(<redacted>)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
