import HTTP

extension ClientResponse {
    /// An answer with this text as its body.
    static func make(
        _ status: Int = 200,
        _ body: String = "{}",
        type: String? = "application/json"
    ) throws -> ClientResponse {
        var headers = Headers()
        if let type { try headers.append(.contentType, type) }
        return ClientResponse(status: status, headers: headers, body: Array(body.utf8))
    }
}
