import HTTP

/// What must be true of a header before its body can be believed to be whole.
enum Framing {
    /// Refuses an answer whose end can be read in two ways, and one in an encoding that was not asked for.
    ///
    /// libcurl takes the last of several lengths; a server in front of the other may have taken the first
    /// (RFC 9112 §6.3, where either is an error).
    ///
    /// - Parameter headers: of a final answer.
    /// - Throws: `TransportError` with `.malformed`.
    static func check(_ headers: Headers) throws(TransportError) {
        let lengths = members(.contentLength, of: headers)
        let codings = members(.transferEncoding, of: headers)
        guard Set(lengths).count <= 1, lengths.allSatisfy(isNumber) else {
            throw TransportError(.malformed, detail: "Content-Length is no single number")
        }
        guard codings.isEmpty || (lengths.isEmpty && codings == ["chunked"]) else {
            throw TransportError(.malformed, detail: "Transfer-Encoding is not only chunked, or beside a length")
        }
        guard members(.contentEncoding, of: headers).allSatisfy({ $0 == "identity" }) else {
            throw TransportError(.malformed, detail: "a Content-Encoding that was not asked for")
        }
    }

    /// Tells whether the header lets a reader know that the body is whole (HTTP/2 has frames for that).
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
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
