import HTTP

package import struct FoundationEssentials.Date

/// What the provider says about an access token that this client may use.
package struct IntrospectedToken: Sendable, Equatable {
    /// When the token expires; nil if the provider did not say.
    package let expires: Date?
    /// The granted scopes; they contain every scope that a sign-in requests.
    package let scopes: [String]
}

extension OpenIDClient {
    /// The longest access token that can be sent, in bytes, as in a token response.
    private static let accessTokenLimit = 8192

    /// Asks the provider about an access token that another program of the same application obtained (RFC 7662 §2).
    ///
    /// A token of another client is refused, because that client could otherwise sign its members in here.
    ///
    /// - Parameter accessToken: the token, as received.
    /// - Returns: the expiry and the scopes of a token that is active, belongs to a member and to this client, and has
    ///   every scope that a sign-in requests.
    /// - Throws: one of the `accessToken…` codes about the token; `introspectionUnavailable`, `introspectionThrottled`,
    ///   `introspectionMalformed` or `busy` if the provider did not answer; `clientRefused` if it rejects this client.
    package func introspect(accessToken: String) async throws(OpenIDError) -> IntrospectedToken {
        guard (1...Self.accessTokenLimit).contains(accessToken.utf8.count),
            accessToken.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { throw OpenIDError(.accessTokenMalformed, detail: "not 1 to 8192 visible ASCII characters") }
        let response = try await description(of: accessToken)
        guard response.status == 200 else { throw OpenIDError(introspectionAnswer: response, options.dialect) }
        return try judge(Self.claims(in: response))
    }

    /// Asks the provider whether it accepts this client, without a member.
    ///
    /// It asks about an access token that does not exist. Only the answer that this token is not active shows that the
    /// provider accepted identifier and secret: a proxy or a firewall may also answer 400 or 403.
    ///
    /// - Parameter accessToken: a text that the provider never issues as a token.
    /// - Throws: `clientRefused` if the provider rejects this client; `introspectionUnavailable`,
    ///   `introspectionThrottled`, `introspectionMalformed` or `busy` if it gave no answer that shows either.
    package func checkCredentials(askingAbout accessToken: String) async throws(OpenIDError) {
        let response = try await description(of: accessToken)
        guard response.status == 200 else {
            let error = OpenIDError(introspectionAnswer: response, options.dialect)
            throw error.code == .accessTokenInactive ? Self.malformed(error.detail) : error
        }
        guard try Self.claims(in: response)["active"] == .bool(false) else {
            throw Self.malformed("HTTP 200, but not about a token that is not active")
        }
    }

    /// The answer of the introspection endpoint about a token.
    private func description(of accessToken: String) async throws(OpenIDError) -> ClientResponse {
        guard let endpoint = options.introspectionEndpoint else {
            throw OpenIDError(.introspectionUnavailable, detail: "the provider has no introspection endpoint")
        }
        let request = try authenticatedRequest(FormData(["token": accessToken]), to: endpoint)
        return try await transport.send(request, or: .introspectionUnavailable, malformed: .introspectionMalformed)
    }

    private static func claims(in response: ClientResponse) throws(OpenIDError) -> Claims {
        guard response.isJSON, let members = JSON(parsing: response.body)?.objectValue else {
            throw malformed("not a JSON object")
        }
        return Claims(members: members)
    }

    private static func malformed(_ detail: String) -> OpenIDError {
        OpenIDError(.introspectionMalformed, detail: detail)
    }

    private func judge(_ answer: Claims) throws(OpenIDError) -> IntrospectedToken {
        guard case .bool(let isActive)? = answer["active"] else { throw Self.malformed("active is not true or false") }
        try checkStatus(options.dialect.introspection.status.flatMap { answer[$0] }, isActive: isActive)
        guard let client = answer["client_id"]?.stringValue else { throw Self.malformed("client_id is missing") }
        guard client.isIdentical(to: credentials.identifier) else { throw OpenIDError(.accessTokenForeign) }
        if let kind = options.dialect.introspection.kind { try checkMember(answer[kind.name], kind.ofMember) }
        return IntrospectedToken(expires: try checkExpiry(answer), scopes: try checkScopes(answer["scope"]))
    }

    private func checkStatus(_ member: JSON?, isActive: Bool) throws(OpenIDError) {
        switch member?.stringValue {
        case "expired": throw OpenIDError(.accessTokenExpired)
        case "revoked": throw OpenIDError(.accessTokenRevoked)
        case nil where member == nil, "active": break
        default: throw Self.malformed("status is not active, expired or revoked")
        }
        guard isActive else { throw OpenIDError(.accessTokenInactive) }
    }

    /// A token of the application itself names no member.
    private func checkMember(_ kind: JSON?, _ ofMember: String) throws(OpenIDError) {
        guard let kind else { return }
        guard kind == .string(ofMember) else { throw OpenIDError(.accessTokenMemberless) }
    }

    /// `exp` is the name in RFC 7662 §2.2.
    private func checkExpiry(_ answer: Claims) throws(OpenIDError) -> Date? {
        let names = [options.dialect.introspection.expiry, "exp"].compactMap(\.self)
        guard let name = names.first(where: { answer[$0] != nil }) else { return nil }
        guard let seconds = answer.time(name) else { throw Self.malformed("\(name) is not a time") }
        let expires = Date(timeIntervalSince1970: seconds)
        guard now() < expires else { throw OpenIDError(.accessTokenExpired) }
        return expires
    }

    private func checkScopes(_ member: JSON?) throws(OpenIDError) -> [String] {
        guard let scopes = options.dialect.scopes(member) else { throw Self.malformed("scope is missing") }
        let missing = options.scopes.filter { !scopes.contains($0) }
        guard missing.isEmpty else {
            // Names of the configured scopes, so nothing that the provider sent.
            throw OpenIDError(.accessTokenScopes, detail: "missing: \(missing.joined(separator: " "))")
        }
        return scopes
    }
}

extension OpenIDError {
    /// Classifies an error answer of the introspection endpoint (RFC 7662 §2.3).
    ///
    /// A provider may answer 400 to a wrong client identifier and to a text that is not a token.
    init(introspectionAnswer response: ClientResponse, _ dialect: Dialect) {
        switch response.status {
        case 400, 401, 403:
            let refusal = OpenIDError(tokenEndpointAnswer: response, refusal: .accessTokenInactive, dialect)
            self = refusal.code == .clientRefused ? refusal : Self(.accessTokenInactive, detail: refusal.detail)
        case 429:
            self.init(.introspectionThrottled, detail: "HTTP 429", throttle: Throttle(response, dialect))
        case 408, 500...999:
            self.init(.introspectionUnavailable, detail: "HTTP \(response.status)")
        default:
            self.init(.introspectionMalformed, detail: "HTTP \(response.status)")
        }
    }
}
