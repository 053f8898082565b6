import TestSupport
import Testing

@testable import FastCGI

struct RequestScannerTests {
    private func scan(
        _ bytes: [UInt8],
        parameterLimit: Int = 4_096,
        bodyLimit: Int = 4_096
    ) -> (
        RequestScanner, RequestScanner.Progress
    ) {
        var scanner = RequestScanner(parameterLimit: parameterLimit, bodyLimit: bodyLimit)
        let progress = scanner.scan(bytes.span)
        return (scanner, progress)
    }

    @Test func `a request is complete at its last byte and not before`() {
        let request = FastCGIRecords.request(path: "/a", body: Array("body".utf8), keep: true, id: 258)
        for end in request.indices {
            #expect(scan(Array(request[..<end])).1 == .incomplete, "after \(end) bytes")
        }
        let (scanner, progress) = scan(request)
        #expect(progress == .complete(consumed: request.count))
        #expect(scanner.requestID == 258)
        #expect(scanner.keepsConnection)
        #expect(scanner.role == .responder)
        #expect(scanner.bodySize == 4)
        #expect(scanner.problem == nil)
    }

    @Test(arguments: [1, 2, 3, 7, 8, 9, 64])
    func `a request in pieces gives the same result as a whole one`(size: Int) {
        let long = String(repeating: "x", count: 300)
        let request = FastCGIRecords.request([("REQUEST_METHOD", "GET"), ("LONG", long)], body: [1, 2, 3])
        var scanner = RequestScanner(parameterLimit: 4_096, bodyLimit: 4_096)
        var progress = RequestScanner.Progress.incomplete
        for start in stride(from: 0, to: request.count, by: size) {
            #expect(progress == .incomplete)
            progress = scanner.scan(Array(request[start..<min(start + size, request.count)]).span)
        }
        #expect(progress.isComplete)
        #expect(scanner.problem == nil)
        #expect(scanner.bodySize == 3)
    }

    @Test func `an authorizer's request has no body only if the end of its body follows the parameters`() {
        let parameters = FastCGIRecords.begin(role: 2) + FastCGIRecords.stream(4, FastCGIRecords.pairs([("A", "1")]))
        let end = FastCGIRecords.stream(5, [])
        #expect(scan(parameters + end).0.hasNoBody)
        for rest in [[], Array(end.dropLast()), FastCGIRecords.stream(5, [1])] {
            let (scanner, progress) = scan(parameters + rest)
            #expect(progress == .complete(consumed: parameters.count) && !scanner.hasNoBody)
        }
    }

    @Test func `bytes behind a request do not belong to it`() {
        let request = FastCGIRecords.request(path: "/")
        #expect(scan(request + [1, 2, 3]).1 == .complete(consumed: request.count))
    }

    @Test func `records and padding can split a pair anywhere`() {
        let pairs = FastCGIRecords.pairs([("A", "1"), ("LONG", String(repeating: "x", count: 200))])
        for size in 1..<pairs.count {
            var request = FastCGIRecords.begin()
            for start in stride(from: 0, to: pairs.count, by: size) {
                let piece = Array(pairs[start..<min(start + size, pairs.count)])
                request += FastCGIRecords.record(4, piece, padding: UInt8(size % 8))
            }
            request += FastCGIRecords.record(4) + FastCGIRecords.record(5)
            let (scanner, progress) = scan(request)
            #expect(progress == .complete(consumed: request.count))
            #expect(scanner.problem == nil)
        }
    }

    @Test func `an authorizer's request ends with its parameters`() {
        let head = FastCGIRecords.begin(role: 2) + FastCGIRecords.stream(4, FastCGIRecords.pairs([("A", "1")]))
        #expect(scan(head).1 == .complete(consumed: head.count))
        #expect(scan(head + FastCGIRecords.record(5)).1 == .complete(consumed: head.count))
    }

    @Test func `a filter's request ends with its data`() {
        let head = FastCGIRecords.request(path: "/", role: 3)
        #expect(scan(head).1 == .incomplete)
        let whole = head + FastCGIRecords.stream(8, [1, 2])
        let (scanner, progress) = scan(whole)
        #expect(progress == .complete(consumed: whole.count))
        #expect(scanner.problem == .unknownRole)
    }

    static let refused: [(String, [UInt8], ServerEvent.Refusal)] = [
        ("another version", FastCGIRecords.record(1, [0, 1, 0, 0, 0, 0, 0, 0], version: 2), .version),
        ("parameters first", FastCGIRecords.record(4), .sequence),
        ("a management record", FastCGIRecords.record(9, id: 0), .sequence),
        ("a management record later", FastCGIRecords.begin() + FastCGIRecords.record(9, id: 0), .request),
        ("request id 0", FastCGIRecords.begin(id: 0), .begin),
        ("a short begin record", FastCGIRecords.record(1, [0, 1]), .begin),
        ("a padded begin record", FastCGIRecords.record(1, [0, 1, 0, 0, 0, 0, 0, 0], padding: 8), .padding),
        ("a padded end of a stream", FastCGIRecords.begin() + FastCGIRecords.record(4, padding: 8), .padding),
        ("a second begin record", FastCGIRecords.begin() + FastCGIRecords.begin(), .sequence),
        ("another request", FastCGIRecords.begin() + FastCGIRecords.record(4, id: 2), .request),
        ("a body first", FastCGIRecords.begin() + FastCGIRecords.record(5), .sequence),
        ("an unknown type", FastCGIRecords.begin() + FastCGIRecords.record(77), .sequence),
        ("an abort", FastCGIRecords.begin() + FastCGIRecords.record(2), .aborted),
    ]

    @Test(arguments: refused)
    func `a record that no web server sends is refused`(name: String, bytes: [UInt8], refusal: ServerEvent.Refusal) {
        #expect(scan(bytes).1 == .refused(refusal), "\(name)")
    }

    @Test func `the parameter limit applies to all parameters together`() {
        let pairs = FastCGIRecords.pairs([("A", String(repeating: "x", count: 90))])
        let request = FastCGIRecords.begin() + FastCGIRecords.stream(4, pairs, size: 10) + FastCGIRecords.record(5)
        #expect(scan(request, parameterLimit: pairs.count).0.problem == nil)
        let (scanner, progress) = scan(request, parameterLimit: pairs.count - 1)
        #expect(scanner.problem == .parametersTooLarge)
        #expect(progress == .complete(consumed: request.count))
    }

    @Test(arguments: [[0xff, 0xff, 0xff, 0xff, 1], [1, 0xff, 0xff, 0xff, 0xff], [0x80, 0, 8, 0, 0x80, 0, 8, 1]])
    func `a pair over the limit is recognized by its lengths`(lengths: [UInt8]) {
        let request = FastCGIRecords.begin() + FastCGIRecords.record(4, lengths)
        #expect(scan(request).0.problem == .parametersTooLarge)
    }

    @Test func `a stream that ends within a pair is malformed`() {
        let pairs = FastCGIRecords.pairs([("NAME", "value")])
        for end in 1..<pairs.count {
            let request = FastCGIRecords.begin() + FastCGIRecords.stream(4, Array(pairs[..<end]))
            #expect(scan(request).0.problem == .parametersMalformed, "after \(end) bytes")
        }
    }

    @Test func `a body over the limit is recognized and followed to its end`() {
        let request = FastCGIRecords.request(path: "/", body: [UInt8](repeating: 1, count: 100))
        #expect(scan(request, bodyLimit: 100).0.problem == nil)
        let (scanner, progress) = scan(request, bodyLimit: 99)
        #expect(scanner.problem == .bodyTooLarge)
        #expect(progress == .complete(consumed: request.count))
    }
}
