import HTTP

@testable import FastCGI
@testable import HTTPClient
@testable import SignIn

/// An application's answer to a form, from libcurl to the bytes that the web server receives.
enum AnswerInput {
    /// Headers that would control the web server or the framing of the answer.
    private static let orders: Set<String> = [
        "connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding", "trailer", "upgrade",
    ]

    static func take(_ input: [UInt8]) {
        guard let answer = read(input) else { return }
        guard let response = try? KeptFormAnswer.make(answer) else {
            preconditionFailure("an answer that was read cannot be passed on")
        }
        var bytes: [UInt8] = []
        let status = CGIResponse.encode(response, to: .post, id: RequestID(0), limit: .max, into: &bytes) { _ in
            preconditionFailure("an answer is too large")
        }
        let (lines, body) = parts(bytes)
        precondition(lines[0].starts(with: "Status: \(answer.status) ".utf8), "the answer has another status")
        precondition(status == answer.status, "the log tells another status")
        precondition(lines.joined().allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }, "a control in the header")
        let fields = lines.dropFirst().map { $0.split(separator: 0x3a, maxSplits: 1).map { Array($0) } }
        let named = Set(answer.headers.values(.connection).flatMap { tokens($0) })
        for field in fields {
            let name = String(decoding: field[0], as: UTF8.self).lowercased()
            precondition(HeaderName(name) != nil, "a header name is not a token")
            precondition(
                !name.hasPrefix("x-accel-") && !orders.contains(name),
                "a header of the application controls the web server"
            )
            precondition(name != "status" && !named.contains(name), "a header of the connection is passed on")
        }
        precondition(body == ([204, 304].contains(answer.status) ? [] : answer.body), "the answer has another body")
        for name in ["set-cookie", "location", "content-type"] where !named.contains(name) {
            let sent = answer.headers.fields.filter { $0.name == HeaderName(name) }.map { [UInt8](" \($0.value)".utf8) }
            let passed = fields.filter { String(decoding: $0[0], as: UTF8.self).lowercased() == name }.map { $0[1] }
            precondition(passed == sent, "a field was lost or changed")
        }
    }

    /// Reads lines up to the empty line after the final status, and the rest as body.
    private static func read(_ input: [UInt8]) -> ClientResponse? {
        var reader = AnswerReader(CurlTransport.Configuration())
        var rest = input[...]
        var isInterim = false
        var isStatus = true
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0a) ?? rest.endIndex - 1
            let line = Array(rest[...end])
            rest = rest[(end + 1)...]
            guard (try? reader.read(line: line)) != nil else { return nil }
            let isEmpty = line.allSatisfy { $0 == 0x0d || $0 == 0x0a }
            if isStatus { isInterim = line.drop { $0 != 0x20 }.dropFirst().first == 0x31 }
            isStatus = isEmpty
            if isEmpty, !isInterim { break }
        }
        guard (try? reader.read(body: rest)) != nil else { return nil }
        return try? reader.finish(isEndAnnounced: false)
    }

    /// The lines of the header, each ended by CR LF, and the body after the empty line.
    private static func parts(_ bytes: [UInt8]) -> (lines: [[UInt8]], body: [UInt8]) {
        var lines: [[UInt8]] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0a) {
            precondition(end > rest.startIndex && rest[end - 1] == 0x0d, "a bare line feed in the header")
            let line = Array(rest[..<(end - 1)])
            rest = rest[(end + 1)...]
            if line.isEmpty { return (lines, Array(rest)) }
            lines.append(line)
        }
        preconditionFailure("the header does not end")
    }

    private static func tokens(_ value: String) -> [String] {
        value.split(separator: ",").map { piece in
            let bytes = piece.utf8.filter { $0 != 0x20 && $0 != 0x09 }
            return String(decoding: bytes, as: UTF8.self).lowercased()
        }
    }
}
