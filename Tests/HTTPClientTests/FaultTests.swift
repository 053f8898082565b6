import HTTP
import HTTPClient
import Testing

/// A faulty answer and the error that it must become.
struct Fault: Sendable, CustomTestStringConvertible {
    let answer: String
    let code: TransportError.Code

    var testDescription: String { answer }

    static let table =
        all(.timedOut, "silence slow-header slow-body stalled-body")
        + all(.tooLarge, "endless-body endless-chunks endless-trailers endless-interim endless-continue huge-length")
        + all(.tooLarge, "many-fields long-field size=1048577")
        + all(.malformed, "hang-up-at-once reset half-header length-above-body no-last-chunk only-interim garbage")
        + all(.malformed, "http-0.9 http-2-preface no-status two-lengths two-lengths-in-one bad-length bad-chunk")
        + all(.malformed, "length-and-chunked gzip-transfer no-colon bad-name folded control gzip unknown-encoding")

    private static func all(_ code: TransportError.Code, _ answers: String) -> [Fault] {
        answers.split(separator: " ").map { Fault(answer: String($0), code: code) }
    }
}

@Suite struct FaultTests {
    @Test(arguments: ["http", "good"], Fault.table)
    func `a faulty answer is an error of its kind within the total timeout`(listener: String, fault: Fault) async throws
    {
        let server = try await FaultServer.shared.value
        let client = try server.client { if fault.code == .timedOut { $0.beImpatient() } }
        let request = try ClientRequest(.post, server.url(fault.answer, on: listener), body: Array("code=secret".utf8))
        let start = ContinuousClock.now
        let error = try await #require(throws: TransportError.self) { try await client.send(request) }
        #expect(error.code == fault.code, "\(error.detail)")
        #expect(!error.isUnsent, "the server may have acted on it")
        #expect(start.duration(to: .now) < .seconds(5))
        #expect(!error.detail.isEmpty && !error.detail.contains("secret"))
        await client.shutdown()
    }
}
