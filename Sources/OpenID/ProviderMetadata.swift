/// What a provider says of itself at `/.well-known/openid-configuration` (OpenID Connect Discovery §3), checked.
package struct ProviderMetadata: Sendable, Equatable {
    package let issuer: String
    package let authorizationEndpoint: String
    package let tokenEndpoint: String
    package let userinfoEndpoint: String?
    package let jwksURI: String
    /// Basic where the provider does not say, or can do that too.
    package let clientAuthentication: Provider.ClientAuthentication
    /// Whether S256 is among the `code_challenge_methods_supported`.
    package let supportsPKCE: Bool
    /// Whether the authorization response names its issuer (RFC 9207 §3).
    package let sendsIssuerParameter: Bool
    /// The asymmetric ones among the `id_token_signing_alg_values_supported`.
    package let idTokenAlgorithms: [SigningAlgorithm]

    /// Where an issuer keeps the document (OpenID Connect Discovery §4.1).
    ///
    /// - Parameter issuer: an https URL.
    /// - Returns: its well-known address.
    package static func address(of issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// Reads the document; members that are not known are ignored.
    ///
    /// - Parameters:
    ///   - bytes: the body of the answer.
    ///   - issuer: the configured issuer, which the document must name identically (§4.3).
    /// - Throws: `ProviderMetadataError`.
    package init(parsing bytes: [UInt8], issuer: String) throws(ProviderMetadataError) {
        guard let document = JSON(parsing: bytes), document.objectValue != nil else { throw .notAnObject }
        guard let told = document["issuer"]?.stringValue, told.isIdentical(to: issuer) else { throw .issuerMismatch }
        self.issuer = issuer
        guard let authorization = try Self.endpoint("authorization_endpoint", in: document) else {
            throw .missing("authorization_endpoint")
        }
        authorizationEndpoint = authorization
        guard let token = try Self.endpoint("token_endpoint", in: document) else { throw .missing("token_endpoint") }
        tokenEndpoint = token
        guard let keys = try Self.endpoint("jwks_uri", in: document) else { throw .missing("jwks_uri") }
        jwksURI = keys
        userinfoEndpoint = try Self.endpoint("userinfo_endpoint", in: document)
        let methods = Self.texts("token_endpoint_auth_methods_supported", in: document) ?? ["client_secret_basic"]
        let spoken: [Provider.ClientAuthentication] = [.basic, .post]
        guard let method = spoken.first(where: { methods.contains($0.rawValue) }) else {
            throw .unsupported("token_endpoint_auth_methods_supported")
        }
        clientAuthentication = method
        supportsPKCE = Self.texts("code_challenge_methods_supported", in: document)?.contains("S256") ?? false
        sendsIssuerParameter = document["authorization_response_iss_parameter_supported"] == .bool(true)
        let names = Self.texts("id_token_signing_alg_values_supported", in: document) ?? ["RS256"]
        idTokenAlgorithms = names.compactMap(SigningAlgorithm.init)
        guard !idTokenAlgorithms.isEmpty else { throw .unsupported("id_token_signing_alg_values_supported") }
    }

    private static func texts(_ name: String, in document: JSON) -> [String]? {
        document[name]?.arrayValue?.compactMap(\.stringValue)
    }

    /// An https address, or an http one of this machine: what the transport will take.
    private static func endpoint(_ name: String, in document: JSON) throws(ProviderMetadataError) -> String? {
        guard let member = document[name], member != .null else { return nil }
        guard let address = member.stringValue, address.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            isSecure(address)
        else { throw .insecureEndpoint(name) }
        return address
    }

    private static func isSecure(_ address: String) -> Bool {
        let lower = address.lowercased()
        for origin in ["http://127.0.0.1", "http://[::1]", "http://localhost"] where lower.hasPrefix(origin) {
            return [nil, ":", "/", "?"].contains(lower.dropFirst(origin.count).first)
        }
        let scheme = "https://"
        guard lower.hasPrefix(scheme), let first = lower.dropFirst(scheme.count).first else { return false }
        return first.isLetter || first.isNumber || first == "["
    }
}

/// Why a provider's document is not believed.
package enum ProviderMetadataError: Error, Equatable {
    case notAnObject
    case issuerMismatch
    case missing(String)
    case insecureEndpoint(String)
    /// Nothing in the member's list is spoken here.
    case unsupported(String)
}
