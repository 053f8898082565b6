import HTTP
import Testing

@testable import FastCGI

struct CGIResponseTests {
    private func encode(_ response: Response, to method: Method = .get, limit: Int = 3_584) -> (String, [ServerEvent]) {
        var events: [ServerEvent] = []
        // What the array has before must not be in the answer.
        var bytes = Array("an earlier answer".utf8)
        let status = CGIResponse.encode(response, to: method, id: RequestID(7), limit: limit, into: &bytes) {
            events.append($0)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("Status: \(status) "))
        return (text, events)
    }

    private func response(_ status: Status, body: String = "", headers: [(HeaderName, String)] = []) throws -> Response
    {
        var response = Response(status, body: Array(body.utf8))
        for (name, value) in headers { try response.headers.append(name, value) }
        return response
    }

    @Test func `an answer has the status line, the fields in order, then the body`() throws {
        let headers: [(HeaderName, String)] = [(.location, "/a"), (.setCookie, "a=1"), (.setCookie, "b=2")]
        let (text, events) = encode(try response(.seeOther, body: "x\r\n\r\ny", headers: headers))
        let fields = "Location: /a\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n"
        #expect(text == "Status: 303 See Other\r\n" + fields + "\r\nx\r\n\r\ny")
        #expect(events.isEmpty)
    }

    @Test func `an answer to HEAD or with a status without content has no body`() throws {
        #expect(encode(try response(.ok, body: "x"), to: .head).0 == "Status: 200 OK\r\n\r\n")
        #expect(encode(try response(Status(204, "No Content"), body: "x")).0 == "Status: 204 No Content\r\n\r\n")
        #expect(encode(try response(Status(304, "Not Modified"), body: "x")).0 == "Status: 304 Not Modified\r\n\r\n")
    }

    @Test func `a second status line and a line break in a reason are not written`() throws {
        let name = try #require(HeaderName("status"))
        #expect(encode(try response(.forbidden, headers: [(name, "200 OK")])).0 == "Status: 403 Forbidden\r\n\r\n")
        #expect(encode(try response(Status(200, "O\r\nK: \u{0}"))).0 == "Status: 200 OK: \r\n\r\n")
        #expect(encode(try response(Status(20))).0.hasPrefix("Status: 500 "))
    }

    @Test func `a header block over the limit becomes a 500`() throws {
        let size = "Status: 200 OK\r\nLocation: \r\n\r\n".utf8.count
        let fitting = try response(.ok, headers: [(.location, String(repeating: "x", count: 1_000 - size))])
        #expect(encode(fitting, limit: 1_000).1.isEmpty)
        let (text, events) = encode(fitting, limit: 999)
        #expect(text.hasPrefix("Status: 500 Internal Server Error\r\n"))
        #expect(!text.contains("Location"))
        #expect(events == [.answerHeaderTooLarge(RequestID(7), size: 1_000)])
    }

    @Test func `a plain answer contains its status and is not cached`() {
        let (text, _) = encode(CGIResponse.plain(.badRequest))
        let fields = "Content-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\n"
        #expect(text == "Status: 400 Bad Request\r\n" + fields + "\r\n400 Bad Request\n")
    }
}
