import Encoding

/// An absolute http or https URL, parsed so strictly that this program and a browser always read it the same way.
///
/// It accepts a subset of RFC 3986: no user information (§3.2.1), no backslash, no white space, no escapes in the host,
/// and no characters that browsers repair. Bytes above ASCII are accepted after the host and escaped, as a browser does
/// (WHATWG URL, path state).
package struct WebAddress: Equatable {
    package let isSecure: Bool
    /// A name in lower case, an IPv4 address, or `[::1]`.
    package let host: String
    /// The port as written, even if it is the default port; nil if there is none.
    package let port: Int?
    /// Path, query and fragment: starts with `/`, `?` or `#`, or is empty.
    package let rest: String

    /// The maximum length in bytes; LinkedIn's signed picture URLs have about 300.
    static let limit = 2_048

    /// Returns nil for a text outside the accepted subset.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.limit, let colon = text.firstRange(of: "://") else { return nil }
        switch text[..<colon.lowerBound].lowercased() {
        case "https": isSecure = true
        case "http": isSecure = false
        default: return nil
        }
        let tail = text[colon.upperBound...]
        let end = tail.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? tail.endIndex
        guard let (host, port) = Self.split(authority: tail[..<end]), let rest = Self.escape(tail[end...]) else {
            return nil
        }
        self.host = host
        self.port = port
        self.rest = rest
    }

    package var text: String { "\(scheme)://\(authority)\(rest)" }

    package var scheme: String { isSecure ? "https" : "http" }

    /// Host and port.
    package var authority: String { host + (port.map { ":\($0)" } ?? "") }

    /// Scheme, host and port without the default port, as a browser sends them in `Origin` (RFC 6454 §6.2).
    package var origin: String { port == (isSecure ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(authority)" }

    /// Whether the host is this machine, where plain http is as safe as https (RFC 6761 §6.3, RFC 8252 §7.3).
    package var isLoopback: Bool { Host.isLoopback(host) }

    private static func split(authority: Substring) -> (host: String, port: Int?)? {
        let isBracketed = authority.hasPrefix("[::1]")
        let host = isBracketed ? authority.prefix(5) : authority.prefix { $0 != ":" }
        guard isBracketed || isName(host) else { return nil }
        guard host.endIndex != authority.endIndex else { return (host.lowercased(), nil) }
        let digits = authority[host.endIndex...].dropFirst()
        guard authority[host.endIndex] == ":", let port = port(digits) else { return nil }
        return (host.lowercased(), port)
    }

    /// Whether the host is dot-separated labels of letters, digits and inner hyphens (RFC 1123 §2.1), as in a name or
    /// an IPv4 address.
    private static func isName(_ host: Substring) -> Bool {
        guard !host.isEmpty, host.utf8.count <= 253 else { return false }
        return host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.utf8.count <= 63 && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
        }
    }

    private static func port(_ digits: Substring) -> Int? {
        guard digits.utf8.allSatisfy(\.isASCIIDigit), let port = UInt16(digits), port > 0 else { return nil }
        return Int(port)
    }

    private static func escape(_ rest: Substring) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rest.utf8.count)
        for byte in rest.utf8 {
            if byte >= 0x80 {
                bytes += "%\(String(byte, radix: 16, uppercase: true))".utf8
            } else if byte.isASCIIAlphanumeric || "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
