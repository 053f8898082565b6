import HTTP
import Pages

/// What a script is told instead of a page.
struct APIProblem: Encodable {
    let error: String
    var loginURL: String?
    var request: String?

    init(error: String, loginURL: String? = nil, request: RequestID? = nil) {
        self.error = error
        self.loginURL = loginURL
        self.request = request?.description
    }

    /// A page's kind as scripts read it, in the spelling of OAuth's error codes: `store_unavailable`.
    static func code(_ kind: Problem.Kind) -> String {
        kind.rawValue.reduce(into: "") { code, character in
            if character.isUppercase { code += "_" }
            code += character.lowercased()
        }
    }

    private enum CodingKeys: String, CodingKey {
        case error, request
        case loginURL = "login_url"
    }
}
