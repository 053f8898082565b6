import HTTP

/// Writes a response in the format of CGI (RFC 3875 §6): `Status`, header fields, an empty line, the body.
///
/// `Status` is always the first field. lighttpd treats an authorizer's response without it as permission, and drops the
/// fields before it.
enum CGIResponse {
    /// Writes the response to a request, or 500 if its header block is larger than the web server accepts.
    ///
    /// - Returns: The bytes, and the status code in them.
    static func encode(
        _ response: Response,
        to method: Method,
        id: RequestID,
        limit: Int,
        tell: (ServerEvent) -> Void
    ) -> (bytes: [UInt8], status: Int) {
        let (bytes, headerSize) = encode(response, to: method)
        guard headerSize > limit else { return (bytes, code(of: response.status)) }
        tell(.answerHeaderTooLarge(id, size: headerSize))
        return (encode(plain(.internalServerError), to: method).bytes, Status.internalServerError.code)
    }

    /// A response to HEAD has no body, and neither has one whose status excludes content (RFC 9110 §9.3.2).
    private static func encode(_ response: Response, to method: Method) -> (bytes: [UInt8], headerSize: Int) {
        var bytes: [UInt8] = []
        let hasBody = method != .head && response.status.code != 204 && response.status.code != 304
        bytes.reserveCapacity(256 + 64 * response.headers.fields.count + (hasBody ? response.body.count : 0))
        append(response.status, to: &bytes)
        for field in response.headers.fields where field.name != status {
            bytes += field.name.description.utf8
            bytes += ": ".utf8
            bytes += field.value.utf8
            bytes += "\r\n".utf8
        }
        bytes += "\r\n".utf8
        let headerSize = bytes.count
        if hasBody { bytes += response.body }
        return (bytes, headerSize)
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
        bytes += "Status: ".utf8
        bytes += String(code(of: status)).utf8
        bytes.append(UInt8(ascii: " "))
        for byte in status.reason.utf8 where byte >= 0x20 && byte != 0x7f { bytes.append(byte) }
        bytes += "\r\n".utf8
    }
}
