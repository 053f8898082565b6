import Encoding
package import HTTP
package import Sessions

/// The identity of a member as header fields, which the web server passes to the application.
///
/// Printable ASCII is sent unchanged. Any other text is `UTF-8''` and its percent-encoded bytes (RFC 8187 §3.2), so
/// that a text of the provider cannot end a line or be read in the wrong charset. Each value has a maximum length.
package enum IdentityFields {
    private static let encodedMark = "UTF-8''"
    /// The maximum length of a value in bytes.
    ///
    /// A longer name is cut. A longer e-mail address is left out, because a cut one would be a different address.
    private static let limit = 1024

    /// Adds the subject, the e-mail address and the name with these header names.
    package static func append(_ identity: Identity, as names: Names, to headers: inout Headers) throws {
        try headers.append(names.subject, value(identity.uniqueSubject))
        // An unverified address is left out, because an application would trust it.
        if identity.emailVerified, let email = identity.email.map({ value($0) }), email.utf8.count <= limit {
            try headers.append(names.email, email)
        }
        if let name = identity.name { try headers.append(names.name, value(cutting: name)) }
    }

    package struct Names: Sendable {
        let subject: HeaderName
        let email: HeaderName
        let name: HeaderName

        /// For nginx's `auth_request_set`, which reads `$upstream_http_x_auth_subject` and similar variables.
        package static let response = Names(subject: .xAuthSubject, email: .xAuthEmail, name: .xAuthName)
        /// For a FastCGI authorizer: `Variable-NAME` becomes NAME in the application's environment (FastCGI 1.0 §6.3).
        package static let environment = Names(
            subject: .variableRemoteUser,
            email: .variableAuthEmail,
            name: .variableAuthName
        )
    }

    static func value(_ text: String) -> String {
        isPlain(text) ? text : encodedMark + Percent.encode(text)
    }

    /// Whether a text is printable ASCII without a space at either end.
    private static func isPlain(_ text: String) -> Bool {
        guard text.hasOnly({ $0 >= 0x20 && $0 < 0x7f }) else { return false }
        let bytes = text.utf8Span.span
        guard let last = bytes.indices.last else { return true }
        guard bytes[0] != UInt8(ascii: " "), bytes[last] != UInt8(ascii: " ") else { return false }
        // A text that looks encoded is encoded again, so that decoding it returns the original. Most begin otherwise.
        return bytes[0] != UInt8(ascii: "U") || !text.utf8.starts(with: encodedMark.utf8)
    }

    private static func value(cutting text: String) -> String {
        var (text, value) = (text, value(text))
        while value.utf8.count > limit {
            text.removeLast()
            value = Self.value(text)
        }
        return value
    }
}
