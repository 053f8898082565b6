import HTTP

/// Writes a response in the format of CGI (RFC 3875 §6): `Status`, header fields, an empty line, the body.
///
/// `Status` is always the first field. lighttpd treats an authorizer's response without it as permission, and drops the
/// fields before it.
enum CGIResponse {
    /// Writes the response to a request, or 500 if its header block is larger than the web server accepts.
    static func encode(
        _ response: Response,
        to method: Method,
        id: RequestID,
        limit: Int,
        tell: (ServerEvent) -> Void
    ) -> [UInt8] {
        let (bytes, headerSize) = encode(response, to: method)
        guard headerSize > limit else { return bytes }
        tell(.answerHeaderTooLarge(id, size: headerSize))
        return encode(plain(.internalServerError), to: method).bytes
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

    private static func append(_ status: Status, to bytes: inout [UInt8]) {
        bytes += "Status: ".utf8
        // A status has three digits (RFC 9110 §15).
        let isCode = (100...999).contains(status.code)
        bytes += String(isCode ? status.code : 500).utf8
        bytes.append(UInt8(ascii: " "))
        for byte in status.reason.utf8 where byte >= 0x20 && byte != 0x7f { bytes.append(byte) }
        bytes += "\r\n".utf8
    }
}
