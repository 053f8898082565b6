import struct Foundation.Data
import class Foundation.JSONDecoder

/// A number or text that shapes a fault.
enum FaultOption: String, Sendable, CaseIterable {
    case ms, bytes, depth, keys
    case status, code
    case retryAfter = "retry-after"
    case version, type, body, body64
    case headers, claims

    /// Reads a value; in a form every value is text.
    ///
    /// - Parameter value: What was sent.
    /// - Returns: A number, a text or an object, whichever the option is.
    /// - Throws: When it is none.
    func read(_ value: JSON) throws(ControlError) -> JSON {
        switch (self, value) {
        case (.claims, .object), (.headers, .object): return value
        case (.claims, .string(let text)), (.headers, .string(let text)):
            if let object = try? JSONDecoder().decode(JSON.self, from: Data(text.utf8)), case .object = object {
                return object
            }
        case (.body64, .string(let text)):
            if Data(base64Encoded: text) != nil { return value }
        case (.retryAfter, .string), (.type, .string), (.body, .string), (.version, .string): return value
        case (.retryAfter, .int(let number)): return .string(String(number))
        case (.ms, .int), (.bytes, .int), (.depth, .int), (.keys, .int), (.status, .int), (.code, .int): return value
        case (.ms, .string(let text)), (.bytes, .string(let text)), (.depth, .string(let text)),
            (.keys, .string(let text)), (.status, .string(let text)), (.code, .string(let text)):
            if let number = Int(text) { return .int(number) }
        default: break
        }
        throw .invalid(rawValue, value.text)
    }
}

extension FaultKind {
    /// The options a fault has.
    var options: [FaultOption] {
        switch self {
        case .delay, .drip: [.ms]
        case .truncated, .huge: [.bytes]
        case .deep: [.depth]
        case .manyKeys: [.keys]
        case .status: [.status, .code, .retryAfter]
        case .redirect: [.status]
        case .answer: [.status, .type, .body, .body64, .headers, .version]
        case .claims: [.claims]
        default: []
        }
    }
}
