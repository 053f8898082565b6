import HTTP
import Testing

@testable import FastCGI

struct CGIRequestTests {
    private func request(
        _ variables: [String],
        role: Request.Role = .responder,
        body: [UInt8] = []
    ) throws -> Request {
        try self.request(bytes: variables.map { Array($0.utf8) }, role: role, body: body)
    }

    private func request(
        bytes variables: [[UInt8]],
        role: Request.Role = .responder,
        body: [UInt8] = []
    ) throws -> Request {
        var builder = CGIRequest()
        for variable in variables { builder.add(variable.span) }
        return try builder.request(id: RequestID(7), role: role, body: body)
    }

    @Test func `nginx's default parameters become a request`() throws {
        let request = try request(
            [
                "QUERY_STRING=a=1&b=2", "REQUEST_METHOD=POST", "CONTENT_TYPE=text/plain", "CONTENT_LENGTH=4",
                "SCRIPT_NAME=/login", "REQUEST_URI=/login?a=1&b=2", "DOCUMENT_URI=/login", "REMOTE_ADDR=192.0.2.1",
                "HTTP_ACCEPT=text/html", "HTTP_SEC_FETCH_SITE=same-origin", "HTTP_COOKIE=a=1; b=2",
                "HTTP_X_REQUESTED_WITH=script", "SIGNIN_REQUIRE=member",
            ],
            body: [1, 2, 3, 4]
        )
        #expect(request.id == RequestID(7))
        #expect(request.method == .post)
        #expect(request.path == "/login")
        #expect(request.query == "a=1&b=2")
        #expect(request.uri == "/login?a=1&b=2")
        #expect(request.remoteAddress == "192.0.2.1")
        #expect(request.headers[.accept] == "text/html")
        #expect(request.headers[.contentType] == "text/plain")
        #expect(request.headers[.secFetchSite] == "same-origin")
        #expect(request.headers[.xRequestedWith] == "script")
        #expect(request.cookies["b"] == .one("2"))
        #expect(request.serverParameters == ["SIGNIN_REQUIRE": "member"])
        #expect(request.body == [1, 2, 3, 4])
    }

    @Test func `the number of a request is that of the web server if it passes one`() throws {
        let digits = "00fedcba98765432100123456789abcd"
        let variables = ["REQUEST_METHOD=GET", "SCRIPT_NAME=/"]
        let request = try request(variables + ["SIGNIN_REQUEST_ID=\(digits)"])
        #expect(request.id.description == digits && request.serverParameters == [:])
        #expect(try self.request(variables + ["SIGNIN_REQUEST_ID=x"]).id == RequestID(7))
    }

    @Test(arguments: [
        (["POST /session", "Bearer a"], "Bearer a"), (["GET /session", "Bearer a"], nil),
        (["POST /sessions", "Bearer a"], nil), (["POST /", "Bearer a"], nil), (["POST /session", ""], nil),
        (["POST /session", "Basic a", "Bearer b"], "Bearer b"), (["POST /session"], nil),
        (["POST /session", "Bearer a\nb"], nil),
    ])
    func `only POST requests of one path have the field Authorization`(parts: [String], expected: String?) throws {
        let line = parts[0].split(separator: " ")
        let fields = parts.dropFirst().map { "HTTP_AUTHORIZATION=\($0)" }
        let variables = ["REQUEST_METHOD=\(line[0])", "SCRIPT_NAME=\(line[1])", "HTTP_AUTHORIZATION"] + fields
        var request = try request(variables)
        let all: ((Span<UInt8>) -> Void) -> Void = { add in
            for variable in variables { add(Array(variable.utf8).span) }
        }
        CGIRequest.addAuthorization(to: &request, at: nil, all)
        #expect(request.headers[.authorization] == nil)
        CGIRequest.addAuthorization(to: &request, at: "/session", all)
        #expect(request.headers[.authorization] == expected)
    }

    @Test(arguments: [
        (["Bearer lsi_a"], "Bearer lsi_a"), (["bearer lsi_"], "bearer lsi_"), (["Bearer a"], nil),
        (["Basic lsi_a"], nil),
        (["Bearer lsi_a", "Basic b"], nil), (["Basic b", "Bearer lsi_a"], "Bearer lsi_a"), (["Bearer lsi_a", ""], nil),
    ])
    func `every request has a field Authorization with a personal token`(values: [String], expected: String?) throws {
        for role in [Request.Role.responder, .authorizer] {
            let variables = ["REQUEST_METHOD=GET", "SCRIPT_NAME=/a"] + values.map { "HTTP_AUTHORIZATION=\($0)" }
            #expect(try request(variables, role: role).headers[.authorization] == expected)
        }
    }

    @Test func `only the headers that handlers read are copied`() throws {
        let names = Request.readHeaders.map { "HTTP_" + $0.description.uppercased().replacing("-", with: "_") }
        let others = [
            "HTTP_HOST", "HTTP_PROXY", "HTTP_AUTHORIZATION", "HTTP_X_FORWARDED_FOR", "HTTP_SIGNIN_REQUIRE", "HTTP_",
            "HTTP_REFERER", "SERVER_NAME", "REMOTE_USER", "XHTTP_ACCEPT", "HTTP_ACCEPTS", "SIGNIN_",
        ]
        let variables = ["REQUEST_METHOD=GET", "SCRIPT_NAME=/"] + (names + others).map { $0 + "=x" }
        let request = try request(variables)
        #expect(Set(request.headers.fields.map(\.name)) == Set(Request.readHeaders).subtracting([.contentType]))
        #expect(request.serverParameters == [:])
    }

    @Test(arguments: [
        ([], false), (["CONTENT_LENGTH="], false), (["CONTENT_LENGTH=0", "HTTP_CONTENT_LENGTH=0"], false),
        (["CONTENT_LENGTH=4"], true), (["HTTP_CONTENT_LENGTH=4"], true), (["HTTP_CONTENT_LENGTH=+0"], true),
        (["HTTP_CONTENT_LENGTH=4", "HTTP_CONTENT_LENGTH=0"], true), (["HTTP_TRANSFER_ENCODING=chunked"], true),
        (["HTTP_TRANSFER_ENCODING=chunked", "HTTP_TRANSFER_ENCODING="], true),
    ])
    func `every field that announces a body counts`(variables: [String], expected: Bool) throws {
        let request = try request(["REQUEST_METHOD=OPTIONS", "SCRIPT_NAME=/"] + variables)
        #expect(request.mayHaveBody == expected)
    }

    @Test func `the last of several parameters with one name counts`() throws {
        let request = try request([
            "REQUEST_METHOD=GET", "SCRIPT_NAME=/", "REQUEST_METHOD=HEAD", "SCRIPT_NAME=/x", "HTTP_ACCEPT=a",
            "HTTP_ACCEPT=b", "SIGNIN_A=1", "SIGNIN_A=2", "QUERY_STRING=a", "QUERY_STRING=", "HTTP_ORIGIN=o",
            "HTTP_ORIGIN=",
        ])
        #expect(request.method == .head)
        #expect(request.path == "/x")
        #expect(request.headers.values(.accept) == ["b"])
        #expect(request.headers[.origin] == nil)
        #expect(request.query.isEmpty)
        #expect(request.serverParameters == ["SIGNIN_A": "2"])
    }

    @Test func `all cookie parameters count, in their order`() throws {
        let request = try request([
            "REQUEST_METHOD=GET", "SCRIPT_NAME=/", "HTTP_COOKIE=a=1", "HTTP_COOKIE=", "HTTP_COOKIE=b=2; c=3",
        ])
        #expect(request.cookies == Cookies(["a=1", "b=2; c=3"]))
    }

    @Test func `a path in two parameters, as lighttpd sends it, is joined`() throws {
        let variables = ["REQUEST_METHOD=GET", "SCRIPT_NAME=/app", "PATH_INFO=/login", "REQUEST_URI=/x/%2e%2e/app"]
        #expect(try request(variables).path == "/app/login")
        #expect(try request(["REQUEST_METHOD=GET", "SCRIPT_NAME=", "PATH_INFO=/login"]).path == "/login")
        #expect(try request(["REQUEST_METHOD=GET", "DOCUMENT_URI=/login"]).path == "/login")
    }

    @Test(arguments: ["/private/%C3%A9?x=%zz", "/caf%E9", "/a%2F..%2Fb", "/%0a", "*"])
    func `an authorizer accepts every path, because it does not decide by the path`(uri: String) throws {
        let variables = ["REQUEST_METHOD=GET", "REQUEST_URI=\(uri)"]
        #expect(try request(variables, role: .authorizer).path == "/")
        #expect(throws: CGIRequestError(.noPath)) { try request(variables, role: .responder) }
        #expect(throws: CGIRequestError(.noPath)) { try request(["REQUEST_METHOD=GET"], role: .authorizer) }
    }

    @Test(arguments: ["SCRIPT_NAME", "PATH_INFO", "DOCUMENT_URI"])
    func `an invalid path is rejected`(name: String) {
        for bytes: [UInt8] in [[0x2f, 0xff, 0xfe], [0x2f, 0x0a], [0x2f, 0x7f], [0x2f, 0xc0, 0xaf], [0x61]] {
            #expect(throws: CGIRequestError(.invalidPath)) {
                try request(bytes: [Array("REQUEST_METHOD=GET".utf8), Array("\(name)=".utf8) + bytes])
            }
        }
    }

    @Test func `a request without a method or with an invalid one is rejected`() {
        #expect(throws: CGIRequestError(.noMethod)) { try request([]) }
        #expect(throws: CGIRequestError(.noMethod)) { try request(["REQUEST_METHOD=", "SCRIPT_NAME=/"]) }
        #expect(throws: CGIRequestError(.invalidMethod)) { try request(["REQUEST_METHOD=G T", "SCRIPT_NAME=/"]) }
        #expect(throws: CGIRequestError(.noPath)) { try request(["REQUEST_METHOD=GET", "REQUEST_URI=/a"]) }
    }

    @Test func `bytes that are not UTF-8 are replaced, except in a path`() throws {
        let names = ["QUERY_STRING", "REQUEST_URI", "HTTP_COOKIE", "HTTP_ACCEPT", "REMOTE_ADDR", "SIGNIN_A"]
        let start = ["REQUEST_METHOD=GET", "SCRIPT_NAME=/"].map { Array($0.utf8) }
        let request = try request(bytes: start + names.map { Array("\($0)=a=".utf8) + [0xff] })
        #expect(request.query == "a=\u{fffd}")
        #expect(request.uri == "a=\u{fffd}")
        #expect(request.cookies["a"] == .one("\u{fffd}"))
        #expect(request.headers[.accept] == "a=\u{fffd}")
        #expect(request.remoteAddress == "a=\u{fffd}")
        #expect(request.serverParameters == ["SIGNIN_A": "a=\u{fffd}"])
    }

    @Test func `a header value with a control character is dropped`() throws {
        let request = try request([
            "REQUEST_METHOD=GET", "SCRIPT_NAME=/", "HTTP_ACCEPT=a", "HTTP_ACCEPT=b\u{1}", "HTTP_ORIGIN=\r\nX: y",
        ])
        #expect(request.headers.fields.isEmpty)
    }

    @Test func `a variable without an equals sign is ignored`() throws {
        #expect(try request(["", "REQUEST_METHOD", "REQUEST_METHOD=GET", "SCRIPT_NAME=/", "=x"]).method == .get)
    }
}
