import HTTP
import Sessions
import Testing

@testable import SignIn

/// A visitor with a form for a guarded address, and the web server that hands its requests to the site.
struct FormVisit {
    static let uri = "/private/form?a=1&b=%C3%BC"
    static let page = TestSite.origin + "/private/form"
    /// Every byte there is, so that nothing on the way may take it for text.
    static let body = (0..<3).flatMap { _ in (0...255).map { UInt8($0) } }
    static let multipart = "multipart/form-data; boundary=----X"

    let test: TestSite
    var browser: TestBrowser
    var require = "member"

    init(_ test: TestSite) {
        self.test = test
        browser = TestBrowser(test)
    }

    /// What nginx hands over after it was told 401.
    mutating func post(
        _ uri: String = uri,
        type: String = multipart,
        origin: String? = TestSite.origin,
        site: String? = "same-origin",
        action: String = "signin",
        body: [UInt8] = body
    ) async throws -> Response {
        var headers: [(HeaderName, String)] = [
            (.accept, "text/html"), (.contentType, type), (.referer, Self.page), (.userAgent, "a browser"),
        ]
        if let origin { headers.append((.origin, origin)) }
        if let site { headers += [(.secFetchSite, site), (.secFetchMode, "navigate"), (.secFetchDest, "document")] }
        let server = ["SIGNIN_ACTION": action, "SIGNIN_REQUIRE": require]
        return try await browser.send(.post, uri, headers: headers, parameters: server, body: body)
    }

    /// Signs in at the provider where a response sends the browser, and goes to the page that sends the form.
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

    /// Presses the button of the page; nil if nginx is told not to hand the request over.
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

    /// The body that a browser makes of the page's form.
    static func field(of page: Response) throws -> [UInt8] {
        let html = String(decoding: page.body, as: UTF8.self)
        let value = try #require(html.split(separator: "name=\"linkedin-signin-form\" value=\"").last)
        return [UInt8]("linkedin-signin-form=\(value.prefix { $0 != "\"" })\r\n".utf8)
    }

    /// What reached the application.
    func arrived(_ uri: String = uri) -> [ClientRequest] {
        test.provider.requests(to: TestSite.origin + uri)
    }

    private struct Missing: Error {}
}
