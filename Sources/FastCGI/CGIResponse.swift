import HTTP

/// Writes a response in the format of CGI (RFC 3875 §6): `Status`, header fields, an empty line, the body.
///
/// `Status` is always the first field. lighttpd treats an authorizer's response without it as permission, and drops the
/// fields before it.
enum CGIResponse {
    /// Writes the response to a request, or 500 if its header block is larger than the web server accepts.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - method: The method of the request.
    ///   - id: The number of the request.
    ///   - limit: The size that the header block may have, in bytes.
    ///   - bytes: Receives the answer in place of its contents. A caller that answers often uses the same array.
    ///   - tell: Receives the event that the header block is too large.
    /// - Returns: The status code in the answer.
    static func encode(
        _ response: Response,
        to method: Method,
        id: RequestID,
        limit: Int,
        into bytes: inout [UInt8],
        tell: (ServerEvent) -> Void
    ) -> Int {
        let headerSize = encode(response, to: method, into: &bytes)
        guard headerSize > limit else { return code(of: response.status) }
        tell(.answerHeaderTooLarge(id, size: headerSize))
        _ = encode(plain(.internalServerError), to: method, into: &bytes)
        return Status.internalServerError.code
    }

    /// A response to HEAD has no body, and neither has one whose status excludes content (RFC 9110 §9.3.2).
    ///
    /// - Returns: The size of the header block in bytes.
    private static func encode(_ response: Response, to method: Method, into bytes: inout [UInt8]) -> Int {
        let hasBody = method != .head && response.status.code != 204 && response.status.code != 304
        bytes.removeAll(keepingCapacity: true)
        bytes.reserveCapacity(256 + 64 * response.headers.fields.count + (hasBody ? response.body.count : 0))
        append(response.status, to: &bytes)
        for field in response.headers.fields where field.name != status {
            append(field.name.description, to: &bytes)
            append(": ", to: &bytes)
            append(field.value, to: &bytes)
            append("\r\n", to: &bytes)
        }
        append("\r\n", to: &bytes)
        let headerSize = bytes.count
        if hasBody { bytes += response.body }
        return headerSize
    }

    /// A small response whose body repeats its status.
    static func plain(_ status: Status) -> Response {
        var response = Response(status, body: Array("\(status.code) \(status.reason)\n".utf8))
        // Both values are valid constants, so neither field is rejected.
        try? response.headers.append(.contentType, "text/plain; charset=utf-8")
        try? response.headers.append(.cacheControl, "no-store")
        return response
    }

    private static let status = HeaderName("Status")

    /// A status has three digits (RFC 9110 §15); 500 replaces any other number.
    private static func code(of status: Status) -> Int {
        (100...999).contains(status.code) ? status.code : 500
    }

    private static func append(_ status: Status, to bytes: inout [UInt8]) {
        append("Status: ", to: &bytes)
        let code = code(of: status)
        bytes.append(UInt8(ascii: "0") + UInt8(code / 100))
        bytes.append(UInt8(ascii: "0") + UInt8(code / 10 % 10))
        bytes.append(UInt8(ascii: "0") + UInt8(code % 10))
        bytes.append(UInt8(ascii: " "))
        for byte in status.reason.utf8 where byte >= 0x20 && byte != 0x7f { bytes.append(byte) }
        append("\r\n", to: &bytes)
    }

    /// Appends all bytes of a text with one call, which costs half of what `+=` with a UTF-8 view does.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        let span = text.utf8Span.span
        // unsafe because a span gives access to its bytes by a pointer; they are copied during the call.
        unsafe span.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
}
