import HTTP

/// Puts an answer together from lines of header and pieces of body as they arrive, within bounds.
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

    /// Whether anything of an answer has arrived.
    var hasBegun: Bool { headerBytes > 0 }

    /// Takes the next line, interim answers and trailers included.
    ///
    /// - Parameter line: a status line, a field or the empty line, with its line end.
    /// - Throws: `TransportError` if a bound is passed, or a line is no HTTP.
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
            // A trailer: it belongs to no field of the header (RFC 9110 §6.5.1), and nothing here reads one.
            break
        }
    }

    /// Takes the next piece of the body.
    ///
    /// - Parameter piece: decoded bytes.
    /// - Throws: `TransportError` if the bound is passed.
    mutating func read(body piece: some Collection<UInt8>) throws(TransportError) {
        guard answer.body.count + piece.count <= configuration.maximumBodyBytes else {
            throw TransportError(.tooLarge, detail: "body over \(configuration.maximumBodyBytes) bytes")
        }
        answer.body.append(contentsOf: piece)
    }

    /// Returns the answer once the transfer is over.
    ///
    /// - Returns: the final answer.
    /// - Throws: `TransportError` if only interim answers came, or nothing shows that the body is whole.
    consuming func finish() throws(TransportError) -> ClientResponse {
        guard part == .body else { throw TransportError(.malformed, detail: "no final answer") }
        // Anybody on the way can end a connection. TLS would tell, by a missing close_notify, but libcurl does not.
        guard !isHTTP1 || answer.body.isEmpty || Framing.statesLength(answer.headers) else {
            throw TransportError(.malformed, detail: "a body without a length")
        }
        return answer
    }
}

extension AnswerReader {
    /// The three digits behind the version (RFC 9112 §4).
    private static func status(_ line: [UInt8]) throws(TransportError) -> Int {
        let digits = line.drop { $0 != UInt8(ascii: " ") }.dropFirst().prefix(3)
        guard line.starts(with: "HTTP/".utf8), digits.count == 3,
            let status = Int(String(decoding: digits, as: UTF8.self)), (100...599).contains(status)
        else { throw TransportError(.malformed, detail: "no status line") }
        return status
    }

    /// A folded line begins with a space, so that its name is no token (RFC 9112 §5.2 allows to refuse it).
    private mutating func appendField(_ line: ArraySlice<UInt8>) throws(TransportError) {
        fieldCount += 1
        guard fieldCount <= configuration.maximumHeaderFields else {
            throw TransportError(.tooLarge, detail: "over \(configuration.maximumHeaderFields) header fields")
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        let value = line[colon...].dropFirst().trimmed { $0 == 0x20 || $0 == 0x09 || Self.isLineEnd($0) }
        guard colon < line.endIndex, let name = HeaderName(String(decoding: line[..<colon], as: UTF8.self)) else {
            throw TransportError(.malformed, detail: "a line that is no header field")
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

extension ArraySlice<UInt8> {
    fileprivate func trimmed(_ isBlank: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var trimmed = drop(while: isBlank)
        while let last = trimmed.last, isBlank(last) { trimmed.removeLast() }
        return trimmed
    }
}
