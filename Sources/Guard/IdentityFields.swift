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
    /// The maximum size of all fields together in bytes, if claims are among them.
    package static let totalLimit = 3072

    /// Adds the subject, the e-mail address, the name and the claims with these header names.
    ///
    /// - Parameters:
    ///   - identity: The member.
    ///   - names: The header names.
    ///   - trustingProvider: Whether the settings trust the verified e-mail addresses of the member's provider.
    ///   - headers: Receives the fields.
    /// - Throws: `InvalidHeaderValue`, which no value that this type encodes causes.
    package static func append(
        _ identity: Identity,
        as names: Names,
        trustingProvider: Bool,
        to headers: inout Headers
    ) throws {
        try headers.append(names.subject, value(identity.uniqueSubject))
        // An unverified address is left out, because an application would trust it.
        if identity.emailVerified, trustingProvider, let email = identity.email.map({ value($0) }),
            email.utf8.count <= limit
        {
            try headers.append(names.email, email)
        }
        if let name = identity.name { try headers.append(names.name, value(cutting: name)) }
        for (claim, name) in names.claims {
            guard case .values(let texts)? = identity.claims?.content(of: claim) else { continue }
            try headers.append(name, texts.map(element).joined(separator: ","))
        }
    }

    /// Returns why the claims of a member cannot be passed to an application; nil if they can.
    ///
    /// An application must not decide by a part of the claims. A claim that the provider did not send is left out.
    package static func objection(to identity: Identity, as names: Names) -> Denial? {
        guard !names.claims.isEmpty else { return nil }
        for (claim, _) in names.claims {
            guard case .unusable(let fault)? = identity.claims?.content(of: claim), fault != .absent else { continue }
            return Denial(fault)
        }
        var headers = Headers()
        try? append(identity, as: names, trustingProvider: true, to: &headers)
        let size = headers.fields.reduce(0) { $0 + $1.name.description.utf8.count + $1.value.utf8.count + 4 }
        return size > totalLimit ? .fieldsTooLarge : nil
    }

    package struct Names: Sendable {
        let subject: HeaderName
        let email: HeaderName
        let name: HeaderName
        var claims: [(claim: ClaimName, name: HeaderName)] = []

        /// For nginx's `auth_request_set`, which reads `$upstream_http_x_auth_subject` and similar variables.
        package static func response(_ claims: [ApplicationClaim]) -> Names {
            let names = claims.compactMap { claim in HeaderName(claim.header).map { (claim.name, $0) } }
            return Names(subject: .xAuthSubject, email: .xAuthEmail, name: .xAuthName, claims: names)
        }

        /// For a FastCGI authorizer: `Variable-NAME` becomes NAME in the application's environment (FastCGI 1.0 §6.3).
        package static func environment(_ claims: [ApplicationClaim]) -> Names {
            let names = claims.compactMap { claim in HeaderName("Variable-" + claim.parameter).map { (claim.name, $0) }
            }
            return Names(
                subject: .variableRemoteUser,
                email: .variableAuthEmail,
                name: .variableAuthName,
                claims: names
            )
        }

        /// The claims that have a fault.
        package func claims(of identity: Identity, rejectedBy denial: Denial) -> [ClaimName] {
            claims.map(\.claim).filter { claim in
                guard case .unusable(let fault)? = identity.claims?.content(of: claim) else { return false }
                return Denial(fault) == denial
            }
        }
    }

    /// One of several values that commas separate.
    private static func element(_ text: String) -> String {
        text.isEmpty || text.utf8.contains(UInt8(ascii: ",")) ? encodedMark + Percent.encode(text) : value(text)
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
