import HTTP
import Testing

@testable import FastCGI

@Suite struct ClientTests {
    private func record(_ kind: UInt8, _ text: String, padding: Int = 0, request: UInt16 = 1) -> [UInt8] {
        var bytes = RecordHeader(kind: kind, requestID: request, contentLength: text.utf8.count).bytes
        bytes[6] = UInt8(padding)
        return bytes + Array(text.utf8) + [UInt8](repeating: 0, count: padding)
    }

    private func answer(_ pieces: [[UInt8]]) throws -> Client.Answer {
        var records = AnswerRecords()
        for piece in pieces { try records.read(piece) }
        #expect(records.isComplete)
        return try records.answer(process: nil)
    }

    private let head = "Status: 303 See Other\r\nLocation: /a\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\n"

    @Test func `an answer is read whole, whatever pieces it arrives in`() throws {
        let bytes =
            record(6, head, padding: 5) + record(7, "a note") + record(6, "the ") + record(6, "body") + record(6, "")
            + record(3, String(repeating: "\0", count: 8))
        for pieces in [[bytes], bytes.map { [$0] }] {
            let answer = try answer(pieces)
            #expect(answer.status == 303 && answer.headers[.location] == "/a")
            #expect(answer.headers.values(.setCookie) == ["a=1", "b=2"])
            #expect(answer.body == Array("the body".utf8) && answer.headerSize == head.utf8.count)
        }
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\n\r\n", "\u{1}\u{6}\0\u{2}\0\0\0\0", "\u{1}\u{9}\0\u{1}\0\0\0\0"])
    func `bytes that are not an answer are rejected`(text: String) throws {
        var records = AnswerRecords()
        #expect(throws: Client.Failure.self) { try records.read(Array(text.utf8)) }
    }

    @Test(arguments: ["", "Status: 200 OK\r\n", "no field\r\n\r\n", "A: \u{7}\r\n\r\n"])
    func `an answer that is not CGI is rejected`(text: String) throws {
        let end = record(3, String(repeating: "\0", count: 8))
        #expect(throws: Client.Failure.self) { try answer([record(6, text) + end]) }
    }

    @Test func `a request has long names and values, and a body in several records`() throws {
        let body = [UInt8](repeating: 65, count: 70_000)
        let records = Client.records([("NAME", String(repeating: "v", count: 300)), ("E", "")], body)
        var scanner = RequestScanner(parameterLimit: 4_096, bodyLimit: 100_000)
        let progress = scanner.scan(records.span)
        #expect(progress.isComplete && scanner.problem == nil && scanner.bodySize == 70_000)
    }

    @Test func `a place where nobody listens is a failure with a reason`() {
        let client = Client(.unix("/nothing/here"), patience: .seconds(1))
        #expect(throws: Client.Failure(.missing, "No such file or directory")) { try client.ask([]) }
    }
}
