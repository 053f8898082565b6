import HTTP

/// Writes an answer as CGI wants it (RFC 3875 §6): `Status` first, header fields, an empty line, the body.
///
/// `Status` is first and always there because lighttpd takes an authorizer's answer without one for a permission, and
/// drops the fields that stand before it.
enum CGIResponse {
    /// Writes an answer to a method, or 500 in its place if its header block is larger than a server takes.
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

    /// One to HEAD, and one of a status without content, has no body (RFC 9110 §9.3.2).
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

    /// A small answer that says its status and nothing else.
    static func plain(_ status: Status) -> Response {
        var response = Response(status, body: Array("\(status.code) \(status.reason)\n".utf8))
        // Both values stand here, so neither can be refused.
        try? response.headers.append(.contentType, "text/plain; charset=utf-8")
        try? response.headers.append(.cacheControl, "no-store")
        return response
    }

    private static let status = HeaderName("Status")

    private static func append(_ status: Status, to bytes: inout [UInt8]) {
        bytes += "Status: ".utf8
        // A code outside three digits would be no status line at all.
        let isCode = (100...999).contains(status.code)
        bytes += String(isCode ? status.code : 500).utf8
        bytes.append(UInt8(ascii: " "))
        for byte in status.reason.utf8 where byte >= 0x20 && byte != 0x7f { bytes.append(byte) }
        bytes += "\r\n".utf8
    }
}
