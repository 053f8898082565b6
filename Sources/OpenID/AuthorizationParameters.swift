package import HTTP

/// Parameters that an operator adds to every authorization request, such as `prompt` (OpenID Connect Core §3.1.2.1).
package struct AuthorizationParameters: Sendable, Equatable {
    /// Why a text cannot be used, for the operator.
    package struct Unusable: Error {
        package let message: String
    }

    /// The parameters with which this program binds a request to its response and to this client, or which it checks in the
    /// response; another value of one of them would disable that check.
    private static let reserved: Set = [
        "response_type", "response_mode", "client_id", "client_secret", "redirect_uri", "scope", "state", "nonce",
        "code_challenge", "code_challenge_method", "request", "request_uri", "registration", "id_token_hint", "claims",
        "hd", "dpop_jkt", "client_assertion", "client_assertion_type", "code", "iss", "error",
    ]
    private static let most = 20
    private static let longest = 512

    /// The parameters in their order.
    package private(set) var form = FormData()
    /// The maximum age of the sign-in at the provider, in seconds; the ID token must then say when that was.
    package private(set) var maximumAge: Int?

    /// No parameters.
    package init() {}

    /// Reads parameters in the form of a query, such as `prompt=login&max_age=3600`.
    ///
    /// - Throws: `Unusable` for a text in another form, a parameter of the protocol, or a repeated parameter.
    package init(parsing text: String) throws(Unusable) {
        guard let form = FormData(parsing: text), (1...Self.most).contains(form.pairs.count) else {
            throw Unusable(message: "is not 1 to \(Self.most) parameters such as prompt=login&max_age=3600")
        }
        for (name, value) in form.pairs { try add(name, value) }
    }

    /// Adds a parameter of a provider; the operator cannot set one that the program adds and checks.
    package mutating func set(_ name: String, _ value: String) {
        form.append(name, value)
    }

    private mutating func add(_ name: String, _ value: String) throws(Unusable) {
        guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw Unusable(message: "has a name that is not 1 to 64 visible ASCII characters")
        }
        // Without case, in case that a provider ignores it.
        guard !Self.reserved.contains(name.lowercased()) else {
            throw Unusable(message: "contains \(name), which the program sets itself: remove it")
        }
        guard form[name] == .none else { throw Unusable(message: "contains \(name) twice") }
        guard (1...Self.longest).contains(value.utf8.count) else {
            throw Unusable(message: "has a value of \(name) that is empty or longer than \(Self.longest) bytes")
        }
        if name == "max_age" {
            guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int(value), seconds <= 31_536_000
            else { throw Unusable(message: "has a max_age that is not a number of seconds from 0 to 31536000") }
            maximumAge = seconds
        }
        form.append(name, value)
    }
}
