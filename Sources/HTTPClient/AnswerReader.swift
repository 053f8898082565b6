import Encoding
import HTTP

/// Builds an answer from header lines and pieces of the body as they arrive, within limits.
struct AnswerReader {
    private enum Part {
        case statusLine
        case fields
        case body
    }

    private let configuration: CurlTransport.Configuration
    private var part = Part.statusLine
    private var headerBytes = 0
    private var fieldCount = 0
    private var isHTTP1 = false
    private var answer = ClientResponse(status: 0)

    init(_ configuration: CurlTransport.Configuration) {
        self.configuration = configuration
    }

    /// Whether a part of an answer has arrived.
    var hasBegun: Bool { headerBytes > 0 }

    /// Takes the next line, also of an interim answer or a trailer.
    ///
    /// - Parameter line: A status line, a field or the empty line, with its line end.
    /// - Throws: `TransportError` if a limit is exceeded, or the line is not valid HTTP.
    mutating func read(line: [UInt8]) throws(TransportError) {
        headerBytes += line.count
        guard headerBytes <= configuration.maximumHeaderBytes else {
            throw TransportError(.tooLarge, detail: "header over \(configuration.maximumHeaderBytes) bytes")
        }
        switch part {
        case .statusLine:
            answer = ClientResponse(status: try Self.status(line))
            isHTTP1 = line.starts(with: "HTTP/1".utf8)
            part = .fields
        case .fields:
            let text = line.drop(while: Self.isLineEnd)
            if text.isEmpty { try endHeader() } else { try appendField(text) }
        case .body:
            // A trailer is not a field of the header (RFC 9110 §6.5.1), and nothing here reads one.
            break
        }
    }

    /// Takes the next piece of the body.
    ///
    /// - Parameter piece: Decoded bytes.
    /// - Throws: `TransportError` if the limit is exceeded.
    mutating func read(body piece: some Collection<UInt8>) throws(TransportError) {
        guard answer.body.count + piece.count <= configuration.maximumBodyBytes else {
            throw TransportError(.tooLarge, detail: "body over \(configuration.maximumBodyBytes) bytes")
        }
        answer.body.append(contentsOf: piece)
    }

    /// Returns the answer after the end of the transfer.
    ///
    /// - Parameter isEndAnnounced: Whether the server announced the end of the connection in a way that nobody else could.
    /// - Returns: The final answer.
    /// - Throws: `TransportError` if only interim answers arrived, or if the body may be incomplete.
    consuming func finish(isEndAnnounced: Bool) throws(TransportError) -> ClientResponse {
        guard part == .body else { throw TransportError(.malformed, detail: "no final response") }
        // Without a length, the body ends with the connection (RFC 9112 §6.3), and an attacker on the path can cut it short.
        guard !isHTTP1 || answer.body.isEmpty || Framing.statesLength(answer.headers) || isEndAnnounced else {
            throw TransportError(.malformed, detail: "a body without a length, and without the end of TLS")
        }
        return answer
    }

    /// Reads the three digits after the version (RFC 9112 §4).
    ///
    /// LinkedIn answers 999, which no standard defines, to programs that it blocks.
    private static func status(_ line: [UInt8]) throws(TransportError) -> Int {
        let digits = line.drop { $0 != UInt8(ascii: " ") }.dropFirst().prefix(3)
        guard line.starts(with: "HTTP/".utf8), digits.count == 3,
            let status = Int(String(decoding: digits, as: UTF8.self)), (100...999).contains(status)
        else { throw TransportError(.malformed, detail: "no status line") }
        return status
    }

    /// Adds a field.
    ///
    /// Rejects a folded line, which begins with a space, so its name is not a token. RFC 9112 §5.2 tells a user agent to replace
    /// the fold by spaces; this client rejects the response, because no provider folds lines and attackers hide fields in them.
    private mutating func appendField(_ line: ArraySlice<UInt8>) throws(TransportError) {
        fieldCount += 1
        guard fieldCount <= configuration.maximumHeaderFields else {
            throw TransportError(.tooLarge, detail: "over \(configuration.maximumHeaderFields) header fields")
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        let value = line[colon...].dropFirst().trimmed { $0.isASCIIBlank || Self.isLineEnd($0) }
        guard colon < line.endIndex, let name = HeaderName(String(decoding: line[..<colon], as: UTF8.self)) else {
            throw TransportError(.malformed, detail: "a line that is not a header field")
        }
        do {
            try answer.headers.append(name, String(decoding: value, as: UTF8.self))
        } catch {
            throw TransportError(.malformed, detail: "a control character in a header field")
        }
    }

    private mutating func endHeader() throws(TransportError) {
        guard answer.status >= 200 else {
            part = .statusLine
            return
        }
        try Framing.check(answer.headers)
        part = .body
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
    }
}

/// The header fields that say where a body ends and how it is encoded.
private enum Framing {
    /// Rejects a header that does not state the end of its body unambiguously, or an encoding that was not requested.
    ///
    /// libcurl uses the last of several lengths; a server in between may have used the first. Both are errors by
    /// RFC 9112 §6.3.
    ///
    /// - Parameter headers: The header of a final answer.
    /// - Throws: `TransportError` with `.malformed`.
    static func check(_ headers: Headers) throws(TransportError) {
        let lengths = members(.contentLength, of: headers)
        let codings = members(.transferEncoding, of: headers)
        guard Set(lengths).count <= 1, lengths.allSatisfy(isNumber) else {
            throw TransportError(.malformed, detail: "Content-Length is not a single number")
        }
        guard codings.isEmpty || (lengths.isEmpty && codings == ["chunked"]) else {
            throw TransportError(.malformed, detail: "Transfer-Encoding is not only chunked, or beside a length")
        }
        guard members(.contentEncoding, of: headers).allSatisfy({ $0 == "identity" }) else {
            throw TransportError(.malformed, detail: "a Content-Encoding that was not asked for")
        }
    }

    /// Whether the header states the length of the body (HTTP/2 has frames for that).
    static func statesLength(_ headers: Headers) -> Bool {
        headers[.contentLength] != nil || headers[.transferEncoding] != nil
    }

    private static func members(_ name: HeaderName, of headers: Headers) -> [String] {
        headers.values(name).flatMap { value in
            value.lowercased().split(separator: ",", omittingEmptySubsequences: false).map { member in
                member.filter { $0 != " " && $0 != "\t" }
            }
        }
    }

    private static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isASCIIDigit)
    }
}
