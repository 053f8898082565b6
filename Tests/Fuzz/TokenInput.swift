import HTTP
import Provider

@testable import OpenID

/// The body of a token endpoint's answer; JSON must stay the same when it is written and read again.
enum TokenInput {
    private static let provider = ProtocolOptions(
        issuers: [],
        authorizationEndpoint: "https://provider.example/authorize",
        tokenEndpoint: "https://provider.example/token",
        scopes: ["openid"],
        dialect: .linkedIn
    )

    static func take(_ input: [UInt8]) {
        guard let json = JSON(parsing: input) else { return }
        precondition(JSON(parsing: Array(text(json).utf8)) == json, "a value changes when it is written")
        var headers = Headers()
        try? headers.set(.contentType, "application/json")
        let answer = ClientResponse(status: 200, headers: headers, body: input)
        guard let tokens = try? TokenResponse(answer, from: provider) else { return }
        precondition(isToken(tokens.accessToken, limit: 8192), "the access token is not a token")
        precondition(tokens.refreshToken.map { isToken($0, limit: 8192) } ?? true, "the refresh token is not a token")
        precondition(
            tokens.idToken.map { isToken($0, limit: SignedToken.sizeLimit) } ?? true,
            "the ID token is not a token"
        )
        precondition(tokens.expiresIn.map { (1...31_622_400).contains($0) } ?? true, "the lifetime is out of range")
        precondition(tokens.scopes.allSatisfy { !$0.isEmpty }, "a scope is empty")
    }

    private static func isToken(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }

    private static func text(_ value: JSON) -> String {
        switch value {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number): "\(number)"
        case .string(let text): quoted(text)
        case .array(let elements): "[" + elements.map(text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\(quoted($0.key)):\(text($0.value))" }.joined(separator: ",") + "}"
        }
    }

    /// A string with every UTF-16 unit escaped, which exercises the reader more than plain text.
    private static func quoted(_ text: String) -> String {
        let escapes = text.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"" + escapes.joined() + "\""
    }
}
