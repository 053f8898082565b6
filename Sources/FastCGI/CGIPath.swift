/// The path a request is decided on.
enum CGIPath {
    /// Joins what the server routed on; nil for bytes that are no UTF-8, a control character, or no leading slash.
    ///
    /// `SCRIPT_NAME` and `PATH_INFO` together are the path (RFC 3875 §4.1.5, §4.1.13); nginx puts all of it in the
    /// first. `DOCUMENT_URI` is nginx's other name for it.
    static func routed(_ first: String, _ second: String = "") -> String? {
        let path = second.isEmpty ? first : first + second
        let isValid = path.utf8.first == UInt8(ascii: "/") && path.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
        return isValid ? path : nil
    }
}
