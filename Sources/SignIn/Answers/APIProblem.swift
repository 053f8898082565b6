import HTTP

/// The JSON that a script gets instead of a problem page.
struct APIProblem: Encodable {
    /// The code for scripts: docs/guard.md lists all.
    let error: String
    /// What happened and what to do, for the person who reads the output of a script.
    var description: String?
    var loginURL: String?
    var request: String?

    init(error: String, description: String? = nil, loginURL: String? = nil, request: RequestID? = nil) {
        self.error = error
        self.description = description
        self.loginURL = loginURL
        self.request = request?.description
    }

    private enum CodingKeys: String, CodingKey {
        case error, request
        case description = "error_description"
        case loginURL = "login_url"
    }
}
