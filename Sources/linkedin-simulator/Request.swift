/// A request, with the settings, time and fault at its arrival.
struct Request: Sendable {
    let method: String
    /// The percent-decoded path.
    let path: String
    let query: Fields
    /// By lower-case name.
    let headers: [String: String]
    let body: [UInt8]

    var settings = Settings()
    /// Seconds since 1970.
    var now = 0
    var fault: Fault?

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The fields of a form; empty for another content type.
    var form: Fields {
        let type = (headers["content-type"] ?? "").lowercased()
        return type.hasPrefix("application/x-www-form-urlencoded") ? Fields(urlEncoded: text) : [:]
    }
}
