import HTTP

/// The answer of the token endpoint (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3); it is never printed.
package struct TokenResponse: Sendable, Equatable, Unprintable {
    /// At most 8 KiB of visible ASCII characters, so that it can be sent in a header.
    package let accessToken: String
    /// Seconds from now, 1 to 31,622,400 (366 days); nil if the provider did not send a valid number.
    package var expiresIn: Int?
    package var refreshToken: String?
    /// Seconds from now, as `expiresIn`, in `refresh_token_expires_in`, a common extension.
    package var refreshTokenExpiresIn: Int?
    /// Not verified yet.
    package var idToken: String?
    /// The granted scopes; the requested scopes if the provider did not say (RFC 6749 §5.1).
    package var scopes: [String] = []
}

extension TokenResponse {
    private static let tokenLimit = 8192
    private static let longestLife = 366 * 86400

    /// Reads a successful answer; unknown members are ignored.
    init(_ response: ClientResponse, from options: ProtocolOptions) throws(OpenIDError) {
        guard response.isJSON else {
            throw OpenIDError(.tokenMalformed, detail: "the content type of the response is not JSON")
        }
        guard let body = JSON(parsing: response.body), body.objectValue != nil else {
            throw OpenIDError(.tokenMalformed, detail: "the response is not a JSON object")
        }
        guard let accessToken = try Self.token("access_token", in: body) else {
            throw OpenIDError(.tokenMalformed, detail: "access_token is missing")
        }
        try Self.checkType(body["token_type"], optional: options.dialect.allowsMissingTokenType)
        self.init(
            accessToken: accessToken,
            expiresIn: Self.lifetime(body["expires_in"]),
            refreshToken: try Self.token("refresh_token", in: body),
            refreshTokenExpiresIn: Self.lifetime(body["refresh_token_expires_in"]),
            idToken: try Self.token("id_token", in: body, limit: SignedToken.sizeLimit),
            scopes: options.dialect.scopes(body["scope"]) ?? options.scopes
        )
    }

    private static func token(
        _ name: String,
        in body: JSON,
        limit: Int = tokenLimit
    ) throws(OpenIDError) -> String? {
        guard let member = body[name], member != .null else { return nil }
        guard let token = member.stringValue, !token.isEmpty, token.utf8.count <= limit,
            token.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { throw OpenIDError(.tokenMalformed, detail: "\(name) is not a token") }
        return token
    }

    private static func checkType(_ type: JSON?, optional: Bool) throws(OpenIDError) {
        if type == nil, optional { return }
        guard type?.stringValue?.lowercased() == "bearer" else {
            throw OpenIDError(.tokenMalformed, detail: "token_type is not Bearer")
        }
    }

    /// A number, or a string of digits, which some providers send.
    private static func lifetime(_ member: JSON?) -> Int? {
        let seconds: Double? =
            switch member {
            case .number(let number)?: number
            case .string(let text)? where text.utf8.allSatisfy({ (0x30...0x39).contains($0) }): Double(text)
            case .null?, .bool?, .string?, .array?, .object?, nil: nil
            }
        guard let seconds, seconds >= 1 else { return nil }
        return Int(min(seconds, Double(longestLife)))
    }
}
