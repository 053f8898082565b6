package import HTTP
package import Sessions

/// Who a member is, as header fields for the web server to hand on.
///
/// A value is what it is if that is printable ASCII, else `UTF-8''` and the percent-encoded bytes (RFC 8187 §3.2), so
/// that no text of a provider's can end a line or be read in the wrong charset. Each value is bounded, and with it the
/// header block.
package enum IdentityFields {
    private static let encodedMark = "UTF-8''"
    /// Bytes of a value; a longer name is cut, and a longer address left out, for half of one is another one.
    private static let limit = 1024

    /// Adds subject, address and name under these names.
    package static func append(_ identity: Identity, as names: Names, to headers: inout Headers) throws {
        try headers.append(names.subject, value(identity.subject))
        // An application would take it for proven.
        if identity.emailVerified, let email = identity.email.map({ value($0) }), email.utf8.count <= limit {
            try headers.append(names.email, email)
        }
        if let name = identity.name { try headers.append(names.name, value(cutting: name)) }
    }

    package struct Names: Sendable {
        let subject: HeaderName
        let email: HeaderName
        let name: HeaderName

        /// For `auth_request_set`, which reads `$upstream_http_x_auth_subject` and so on.
        package static let response = Names(subject: .xAuthSubject, email: .xAuthEmail, name: .xAuthName)
        /// For a FastCGI authorizer: `Variable-NAME` becomes NAME in the application's environment (FastCGI 1.0 §6.3).
        package static let environment = Names(
            subject: .variableRemoteUser,
            email: .variableAuthEmail,
            name: .variableAuthName
        )
    }

    static func value(_ text: String) -> String {
        // A text that looks encoded is encoded, or its reader would decode what was never encoded.
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } && !text.hasPrefix(encodedMark)
        let isTrimmed = text.utf8.first != UInt8(ascii: " ") && text.utf8.last != UInt8(ascii: " ")
        return isPlain && isTrimmed ? text : encodedMark + Percent.encode(text)
    }

    private static func value(cutting text: String) -> String {
        var text = text
        while value(text).utf8.count > limit { text.removeLast() }
        return value(text)
    }
}
