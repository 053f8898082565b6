/// An absolute http or https address, split so strictly that this program and a browser cannot read it differently.
///
/// A small subset of RFC 3986 on purpose: no user information (§3.2.1), no backslash, no white space, no escapes in the
/// host, none of the characters that browsers repair. Bytes of other scripts are accepted behind the host and become
/// escapes, as a browser would make them (WHATWG URL, path state).
package struct WebAddress: Equatable {
    package let isSecure: Bool
    /// A lower-case name or IPv4 address, or `[::1]`.
    package let host: String
    /// As it is written, the usual one too; nil if it is not.
    package let port: Int?
    /// Path, query and fragment; begins with `/`, `?` or `#`, or is empty.
    package let rest: String

    /// Bytes, above which an address is none; LinkedIn's signed picture addresses take about 300.
    static let limit = 2_048

    package init?(_ text: String) {
        guard text.utf8.count <= Self.limit, let colon = text.firstRange(of: "://") else { return nil }
        switch text[..<colon.lowerBound].lowercased() {
        case "https": isSecure = true
        case "http": isSecure = false
        default: return nil
        }
        let behind = text[colon.upperBound...]
        let end = behind.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? behind.endIndex
        guard let (host, port) = Self.split(authority: behind[..<end]), let rest = Self.escape(behind[end...]) else {
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

    /// Scheme, host and port, as browsers write an `Origin` (RFC 6454 §6.2): the usual port left out.
    package var origin: String { port == (isSecure ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(authority)" }

    /// This machine itself, where plain http is as good as https (RFC 6761 §6.3, RFC 8252 §7.3).
    package var isLoopback: Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }
}

extension WebAddress {
    private static func split(authority: Substring) -> (host: String, port: Int?)? {
        let isBracketed = authority.hasPrefix("[::1]")
        let host = isBracketed ? authority.prefix(5) : authority.prefix { $0 != ":" }
        guard isBracketed || isName(host) else { return nil }
        guard host.endIndex != authority.endIndex else { return (host.lowercased(), nil) }
        let digits = authority[host.endIndex...].dropFirst()
        guard authority[host.endIndex] == ":", let port = port(digits) else { return nil }
        return (host.lowercased(), port)
    }

    /// Labels of letters, digits and inner hyphens (RFC 1123 §2.1), which an IPv4 address is too.
    private static func isName(_ host: Substring) -> Bool {
        guard !host.isEmpty, host.utf8.count <= 253 else { return false }
        return host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.utf8.count <= 63 && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    private static func port(_ digits: Substring) -> Int? {
        guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let port = UInt16(digits),
            port > 0
        else { return nil }
        return Int(port)
    }

    private static func escape(_ rest: Substring) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rest.utf8.count)
        for byte in rest.utf8 {
            if byte >= 0x80 {
                bytes += "%\(String(byte, radix: 16, uppercase: true))".utf8
            } else if isLetterOrDigit(byte) || "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            false
        }
    }
}
