import HTTP
import Pages

/// The JSON that a script gets instead of a problem page.
struct APIProblem: Encodable {
    let error: String
    var loginURL: String?
    var request: String?

    init(error: String, loginURL: String? = nil, request: RequestID? = nil) {
        self.error = error
        self.loginURL = loginURL
        self.request = request?.description
    }

    /// The name of a problem for scripts, spelled like OAuth's error codes: `store_unavailable`.
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
