package import HTTP

/// What an OpenID provider says about itself (OpenID Connect Discovery 1.0 §3).
///
/// It is checked when it is read, so every document can be used for a sign-in.
package struct DiscoveryDocument: Sendable, Equatable {
    package let issuer: String
    package let endpoints: Endpoints
    private let authenticationMethods: [String]
    /// The algorithms of assertions that the provider accepts; nil if it does not say.
    private let assertionAlgorithms: [String]?
    private let algorithms: [SigningAlgorithm]
    private let acceptsPKCE: Bool
    private let sendsIssuer: Bool
    private let sendsLogoutTokens: Bool
    /// Whether the provider says that it sends logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.1).
    package let announcesLogoutTokens: Bool

    package struct Endpoints: Sendable, Equatable {
        package let authorization: String
        package let token: String
        package let keys: String
        let userinfo: String?
        let introspection: String?
        let revocation: String?
        let endSession: String?
    }

    /// The maximum size in bytes; the largest known documents have 10 KiB.
    package static let limit = 1 << 18

    /// The address of a provider's document (§4.1).
    ///
    /// A final slash of the issuer is not repeated.
    package static func address(of issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// Fetches the document of an issuer (§4).
    ///
    /// - Parameters:
    ///   - issuer: the issuer that the document must have.
    ///   - address: the address of the document; nil for that of the issuer.
    ///   - transport: sends the request; it must not follow redirects.
    /// - Returns: the document, and its bytes to keep.
    /// - Throws: `discoveryUnavailable`, `busy`, or the same as `init(parsing:issuer:)`.
    package static func fetch(
        issuer: String,
        at address: String? = nil,
        by transport: any Transport
    ) async throws(OpenIDError) -> (document: DiscoveryDocument, bytes: [UInt8]) {
        var request = ClientRequest(.get, address ?? Self.address(of: issuer))
        try? request.headers.set(.accept, "application/json")
        let response = try await transport.send(request, or: .discoveryUnavailable, malformed: .discoveryMalformed)
        guard response.status == 200 else {
            throw OpenIDError(.discoveryUnavailable, detail: "HTTP \(response.status)")
        }
        guard response.isJSON else {
            throw OpenIDError(.discoveryMalformed, detail: "the content type of the document is not JSON")
        }
        return (try DiscoveryDocument(parsing: response.body, issuer: issuer), response.body)
    }

    /// Reads and checks a document.
    ///
    /// - Parameters:
    ///   - bytes: the JSON text.
    ///   - issuer: the configured issuer, which the document must repeat byte for byte (§4.3).
    /// - Throws: `discoveryIssuer` for the document of another issuer, and `discoveryMalformed` for one that is too large, is
    ///   not a JSON object, or lacks something that a sign-in needs.
    package init(parsing bytes: [UInt8], issuer: String) throws(OpenIDError) {
        guard bytes.count <= Self.limit else { throw Self.malformed("the document has more than \(Self.limit) bytes") }
        guard let body = JSON(parsing: bytes), body.objectValue != nil else {
            throw Self.malformed("the document is not a JSON object")
        }
        guard let found = body["issuer"]?.stringValue, found.isIdentical(to: issuer) else {
            let shown = body["issuer"]?.stringValue.map(OpenIDClient.shown(issuer:)) ?? "missing"
            throw OpenIDError(.discoveryIssuer, detail: "the issuer in the document is \(shown)")
        }
        let reader = Reader(body: body, allowsHTTP: WebAddress(issuer)?.isSecure == false)
        self.issuer = issuer
        endpoints = Endpoints(
            authorization: try reader.requiredEndpoint("authorization_endpoint"),
            token: try reader.requiredEndpoint("token_endpoint"),
            keys: try reader.requiredEndpoint("jwks_uri"),
            userinfo: try reader.endpoint("userinfo_endpoint"),
            introspection: try reader.endpoint("introspection_endpoint"),
            revocation: try reader.endpoint("revocation_endpoint"),
            // A sign-in does not need it, so a wrong one must not prevent sign-ins.
            endSession: try? reader.endpoint("end_session_endpoint")
        )
        // The defaults of a member that is missing are those of §3.
        try reader.require("code", in: "response_types_supported", default: ["code"])
        try reader.require("authorization_code", in: "grant_types_supported", default: ["authorization_code"])
        guard body["require_pushed_authorization_requests"] != .bool(true) else {
            throw Self.malformed("require_pushed_authorization_requests is true, which this program does not support")
        }
        authenticationMethods =
            try reader.list("token_endpoint_auth_methods_supported") ?? [
                ProtocolOptions.ClientAuthentication.basic.rawValue
            ]
        assertionAlgorithms = try reader.list("token_endpoint_auth_signing_alg_values_supported")
        let names = try reader.list("id_token_signing_alg_values_supported") ?? [SigningAlgorithm.rs256.rawValue]
        algorithms = names.compactMap(SigningAlgorithm.init)
        guard !algorithms.isEmpty else {
            throw Self.malformed("id_token_signing_alg_values_supported has no accepted algorithm")
        }
        // A provider that announces no methods may still accept S256, and ignores an unknown parameter (RFC 6749 §3.1).
        acceptsPKCE = try reader.list("code_challenge_methods_supported")?.contains("S256") ?? true
        sendsIssuer = body["authorization_response_iss_parameter_supported"] == .bool(true)
        announcesLogoutTokens = body["backchannel_logout_supported"] == .bool(true)
        // A provider that says nothing about it may send logout tokens nevertheless.
        sendsLogoutTokens = body["backchannel_logout_supported"] != .bool(false)
    }

    fileprivate static func malformed(_ detail: String) -> OpenIDError {
        OpenIDError(.discoveryMalformed, detail: detail)
    }

    /// The options for this provider.
    ///
    /// - Parameters:
    ///   - scopes: the scopes to request.
    ///   - hasSecret: whether the provider issued a client secret; a public client needs PKCE (RFC 9700 §2.1.1).
    ///   - key: the private key of this client, which is used in place of a secret.
    /// - Returns: the options; PKCE, a nonce and `iss` are used where the provider allows them.
    /// - Throws: `discoveryMalformed` if the provider accepts no way in which this client can authenticate.
    package func options(
        scopes: [String],
        hasSecret: Bool,
        key: ClientKey? = nil
    ) throws(OpenIDError) -> ProtocolOptions {
        ProtocolOptions(
            issuers: [issuer],
            authorizationEndpoint: endpoints.authorization,
            tokenEndpoint: endpoints.token,
            userinfoEndpoint: endpoints.userinfo,
            introspectionEndpoint: endpoints.introspection,
            jwksURI: endpoints.keys,
            revocationEndpoint: endpoints.revocation,
            endSessionEndpoint: endpoints.endSession,
            sendsLogoutTokens: sendsLogoutTokens,
            scopes: scopes,
            clientAuthentication: try clientAuthentication(hasSecret: hasSecret, key: key),
            usesPKCE: acceptsPKCE,
            requiresIssuerParameter: sendsIssuer,
            completesIDToken: endpoints.userinfo != nil,
            idTokenAlgorithms: algorithms
        )
    }

    private func authentication(with key: ClientKey) throws(OpenIDError) -> ProtocolOptions.ClientAuthentication {
        guard authenticationMethods.contains(ProtocolOptions.ClientAuthentication.privateKey.rawValue) else {
            throw Self.malformed("token_endpoint_auth_methods_supported has no private_key_jwt")
        }
        let name = key.algorithm.rawValue
        guard assertionAlgorithms?.contains(name) ?? true else {
            throw Self.malformed(
                "token_endpoint_auth_signing_alg_values_supported has no \(name), the algorithm of the key"
            )
        }
        return .privateKey
    }

    private func clientAuthentication(
        hasSecret: Bool,
        key: ClientKey?
    ) throws(OpenIDError) -> ProtocolOptions.ClientAuthentication {
        if let key { return try authentication(with: key) }
        guard hasSecret else {
            // Providers with public clients often do not list `none`.
            guard acceptsPKCE else {
                throw Self.malformed("the provider does not support PKCE with S256, and there is no client secret")
            }
            return .none
        }
        // Basic first, because every provider must accept it (RFC 6749 §2.3.1).
        let known: [ProtocolOptions.ClientAuthentication] = [.basic, .post]
        guard let method = known.first(where: { authenticationMethods.contains($0.rawValue) }) else {
            throw Self.malformed("token_endpoint_auth_methods_supported has no method for a client secret")
        }
        return method
    }
}

/// Reads the members of a document.
private struct Reader {
    let body: JSON
    /// Whether endpoints on this machine may use plain http, because the issuer does.
    let allowsHTTP: Bool

    func requiredEndpoint(_ name: String) throws(OpenIDError) -> String {
        guard let address = try endpoint(name) else { throw DiscoveryDocument.malformed("\(name) is missing") }
        return address
    }

    func endpoint(_ name: String) throws(OpenIDError) -> String? {
        guard let member = body[name], member != .null else { return nil }
        guard let text = member.stringValue, let address = WebAddress(text), !text.contains("#"),
            address.isSecure || allowsHTTP && address.isLoopback
        else { throw DiscoveryDocument.malformed("\(name) is not an https URL") }
        return text
    }

    func list(_ name: String) throws(OpenIDError) -> [String]? {
        guard let member = body[name], member != .null else { return nil }
        guard let elements = member.arrayValue else { throw DiscoveryDocument.malformed("\(name) is not a list") }
        return elements.compactMap(\.stringValue)
    }

    func require(_ value: String, in name: String, default preset: [String]) throws(OpenIDError) {
        guard try (list(name) ?? preset).contains(value) else {
            throw DiscoveryDocument.malformed("\(name) does not contain \(value)")
        }
    }
}
