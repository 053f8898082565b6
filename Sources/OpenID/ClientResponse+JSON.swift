import HTTP

extension ClientResponse {
    /// Whether the answer says that it is JSON, with or without parameters (RFC 8259 §11, RFC 6839 §3.1).
    var isJSON: Bool {
        guard let field = headers[.contentType] else { return false }
        let type = field.prefix { $0 != ";" && $0 != " " }.lowercased()
        return type == "application/json" || type.hasPrefix("application/") && type.hasSuffix("+json")
    }
}
