import HTTP
import Sessions
import Testing

@testable import SignIn

/// A visitor who sends a form to a guarded address, and the web server that passes the requests to the site.
struct FormVisit {
    static let uri = "/private/form?a=1&b=%C3%BC"
    static let page = TestSite.origin + "/private/form"
    /// Contains every byte value, so that a test fails if any code treats it as text.
    static let body = (0..<3).flatMap { _ in (0...255).map { UInt8($0) } }
    static let multipart = "multipart/form-data; boundary=----X"

    let test: TestSite
    var browser: TestBrowser
    var require = "member"

    init(_ test: TestSite) {
        self.test = test
        browser = TestBrowser(test)
    }

    /// Sends a form as nginx passes it to the site after a 401.
    mutating func post(
        _ uri: String = uri,
        type: String = multipart,
        origin: String? = TestSite.origin,
        site: String? = "same-origin",
        referer: String = page,
        action: String = "signin",
        body: [UInt8] = body
    ) async throws -> Response {
        var headers: [(HeaderName, String)] = [
            (.accept, "text/html"), (.contentType, type), (.referer, referer), (.userAgent, "a browser"),
        ]
        if let origin { headers.append((.origin, origin)) }
        if let site { headers += [(.secFetchSite, site), (.secFetchMode, "navigate"), (.secFetchDest, "document")] }
        let server = ["SIGNIN_ACTION": action, "SIGNIN_REQUIRE": require]
        return try await browser.send(.post, uri, headers: headers, parameters: server, body: body)
    }

    /// Signs in at the provider to which a response redirects the browser, and opens the page that sends the form.
    mutating func signIn(after response: Response, as member: String = "alice") async throws -> Response {
        let callback = try await browser.send(.get, "/oauth?code=code-of-\(member)&state=\(try state(in: response))")
        return try await browser.send(.get, try #require(callback.headers[.location]))
    }

    func state(in response: Response) throws -> String {
        let location = try #require(response.headers[.location])
        let query = String(location.drop { $0 != "?" }.dropFirst())
        guard case .one(let state)? = FormData(parsing: query)?["state"] else { throw Missing() }
        return state
    }

    /// Presses the button of the page; nil if the answer does not make nginx pass the request to the site.
    mutating func press(_ page: Response, at uri: String = uri, site: String? = "same-origin") async throws -> Response
    {
        let form = try Self.field(of: page)
        return try await send(form, at: uri, site: site)
    }

    mutating func send(_ form: [UInt8], at uri: String = uri, site: String? = "same-origin") async throws -> Response {
        let verdict = try await post(uri, type: "text/plain", site: site, action: "authorize", body: [])
        guard verdict.status == .unauthorized else { return verdict }
        return try await post(uri, type: "text/plain", site: site, body: form)
    }

    /// The body that a browser creates from the page's form.
    static func field(of page: Response) throws -> [UInt8] {
        let html = String(decoding: page.body, as: UTF8.self)
        let value = try #require(html.split(separator: "name=\"linkedin-signin-form\" value=\"").last)
        return [UInt8]("linkedin-signin-form=\(value.prefix { $0 != "\"" })\r\n".utf8)
    }

    /// The requests that reached the application.
    func arrived(_ uri: String = uri) -> [ClientRequest] {
        test.provider.requests(to: TestSite.origin + uri)
    }

    private struct Missing: Error {}
}
