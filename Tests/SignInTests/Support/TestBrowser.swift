import HTTP
import Sessions
import SignIn
import Testing

/// A browser that visits a site in the test process; it stores cookies, but does not follow redirects.
struct TestBrowser {
    let test: TestSite
    /// The client address that the web server reports.
    var address = "192.0.2.7"
    private(set) var cookies: [String: String] = [:]

    init(_ test: TestSite) {
        self.test = test
    }

    /// Stores a session, and gives the browser its cookie: a sign-in without the provider.
    mutating func plant(_ session: Session) async throws {
        plant("__Host-session", try await test.store.sessions.create(session, now: test.clock.now).cookieValue)
    }

    mutating func plant(_ name: String, _ value: String) {
        cookies[name] = value
    }

    mutating func forget(_ name: String) {
        cookies[name] = nil
    }

    @discardableResult
    mutating func send(
        _ method: Method = .get,
        _ target: String,
        headers: [(HeaderName, String)] = [(.accept, "text/html")],
        role: Request.Role = .responder,
        parameters: [String: String] = [:],
        body: [UInt8] = []
    ) async throws -> Response {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var fields = Headers()
        for (name, value) in headers {
            // The server copies no other field into a request.
            try #require(Request.readHeaders.contains(name) || name == .authorization, "\(name)")
            try fields.append(name, value)
        }
        let line = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        let request = Request(
            role: role,
            method: method,
            path: parts[0],
            query: parts.count > 1 ? parts[1] : "",
            uri: target,
            remoteAddress: address,
            cookies: Cookies(line.isEmpty ? [] : [line]),
            headers: fields,
            serverParameters: ServerParameters(parameters),
            body: body
        )
        let response = try await answer(request)
        for cookie in response.headers.values(.setCookie) { try take(cookie) }
        return response
    }

    /// Asks the site as the server does: first for an answer at once.
    private func answer(_ request: Request) async throws -> Response {
        guard case .now(let response) = test.site.respondAtOnce(to: request, or: UnusedAnswer()) else {
            return try await test.site.respond(to: request)
        }
        // Other answers are logged, so asking twice would log them twice.
        guard [.ok, .unauthorized].contains(response.status) else { return response }
        let other = try await test.site.respond(to: request)
        guard response == other else { throw DifferentAnswers(atOnce: response, other: other) }
        return response
    }

    /// Starts a sign-in and returns its state.
    mutating func startSignIn(returnTo path: String? = nil) async throws -> String {
        let query = path.map { "?" + FormData(["return_to": $0]).encoded } ?? ""
        let response = try await send(.get, "/login" + query)
        return try state(in: response)
    }

    /// The state in a redirect to the provider.
    func state(in response: Response) throws -> String {
        let location = try #require(response.headers[.location])
        let form = try #require(FormData(parsing: String(location.drop { $0 != "?" }.dropFirst())))
        guard case .one(let state) = form["state"] else { throw MissingState() }
        return state
    }

    /// Signs a member in and returns the answer of the callback.
    @discardableResult
    mutating func signIn(as member: String = "alice", returnTo path: String? = nil) async throws -> Response {
        let state = try await startSignIn(returnTo: path)
        return try await send(.get, "/oauth?code=code-of-\(member)&state=\(state)")
    }

    private mutating func take(_ setCookie: String) throws {
        let parts = setCookie.split(separator: ";").map { $0.drop { $0 == " " } }
        let pair = try #require(parts.first).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        #expect(
            parts.dropFirst().filter { !$0.hasPrefix("Max-Age") } == ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"]
        )
        let name = String(try #require(pair.first))
        #expect(name.hasPrefix("__Host-"))
        cookies[name] = parts.contains("Max-Age=0") ? nil : String(try #require(pair.last))
    }

    private struct MissingState: Error {}

    private struct DifferentAnswers: Error {
        let atOnce: Response
        let other: Response
    }
}

extension ServerParameters {
    /// Adds all parameters of a dictionary.
    init(_ parameters: [String: String]) {
        self.init()
        for (name, value) in parameters { self[name] = value }
    }
}
