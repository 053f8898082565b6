/// The requests of a sign-in and of a sign-out, by what a condition of a web server compares.
enum SignInRequests {
    /// A value in such requests, and what messages call the requests; nil if only some sites have such requests.
    typealias Value = (text: String, requests: String?)

    /// Whether a condition holds for such requests.
    enum Verdict {
        case never
        /// It depends on what the clients of this site send.
        case perhaps
        /// With the name of the requests.
        case always(String)

        var mayHold: Bool { if case .never = self { false } else { true } }

        /// The name of requests for which it holds, whatever the clients of this site send.
        var requests: String? { if case .always(let name) = self { name } else { nil } }
    }

    static let methods: [Value] = [
        ("GET", "GET requests"), ("POST", "POST requests, such as those of the sign-out"),
    ]
    static let callback = "the callback of a sign-in"
    /// As long as the codes of LinkedIn and the states of linkedin-signin, and with their characters, because a condition may
    /// reject long values; without vowels, because another condition may reject a word.
    private static let code =
        "AQTbMh1FGsJfwFqRDHkjGTHtkFvKS00wFvwhFSDtLXjMsKvZt3PJwv0QfJt5GvFzRp3sk"
        + "-9bmwmfZTP49THvZrpc6lXxGKqjN8cM_pjD2G8tvbc4dxpwmGHWn42GF64Z1v3lX5g2dCmdNz"
    private static let state =
        "KpFR9XL7_ThhpHNlhtWLktW5jd3gS-MHPMS2SBpwPVX"
        + ".ASBMjsfzvbL4qz137Fm93thhhhJn0hFQGRlNKcxFJBvMsJfzCGRzgM0VdxfnKKpmnnZHMJ7c_7Vn4NrCRrfM4sC8rZ1H4VrfNd9Sss9qc0Sz"
    static let queries: [Value] = [
        ("code=\(code)&state=\(state)", callback),
        (
            "error=user_cancelled_login&error_description=The+user+cancelled+LinkedIn+login&state=\(state)",
            "the callback of a sign-in that the visitor cancels"
        ),
    ]
    /// The values of `X-Forwarded-Proto`, which browsers do not send.
    static let schemes: [Value] = [("", nil)]
    static let referrers: [Value] = [
        ("https://www.linkedin.com/", "visitors who come back from LinkedIn"),
        ("", "visitors whose browser sends no Referer field"),
    ]
    static let browsers: [Value] = [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "visitors with Firefox"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
            "visitors with Chrome"
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 "
                + "Mobile/15E148 Safari/604.1", "visitors with Safari on an iPhone"
        ),
    ]

    /// Whether a condition holds for one of the values that it can compare; nil stands for unknown values.
    static func verdict(_ values: [Value]?, _ holds: (String) -> Bool) -> Verdict {
        guard let values else { return .perhaps }
        guard let value = values.first(where: { holds($0.text) }) else { return .never }
        return value.requests.map { .always($0) } ?? .perhaps
    }

    /// The values of one argument of the query.
    static func values(of argument: Substring) -> [Value] {
        let found = queries.compactMap { query -> Value? in
            let fields = query.text.split(separator: "&")
            return fields.first { $0.hasPrefix("\(argument)=") }.map {
                (String($0.dropFirst(argument.count + 1)), query.requests)
            }
        }
        return found + [("", "requests without the argument \(argument)")]
    }
}
