/// An absolute http or https URL of a configuration, taken apart just enough to be judged.
///
/// Not a general parser: it accepts what an operator would write and nothing that two parsers could read differently.
package struct WebURL: Sendable, Equatable, CustomStringConvertible {
    package let isSecure: Bool
    /// Host in lower case, an IPv6 address in brackets.
    package let host: String
    package let port: Int?
    /// From the first slash after the authority; may be empty.
    package let path: String

    /// Nil for another scheme, user information, query, fragment, white space, control or non-ASCII characters.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
        let rest: Substring
        if text.hasPrefix("https://") {
            isSecure = true
            rest = text.dropFirst(8)
        } else if text.hasPrefix("http://") {
            isSecure = false
            rest = text.dropFirst(7)
        } else {
            return nil
        }
        guard !rest.contains(where: { "@?#\\\"<>".contains($0) }) else { return nil }
        let authority = rest.prefix { $0 != "/" }
        path = String(rest[authority.endIndex...])
        guard let (host, port) = Self.split(authority) else { return nil }
        self.host = host
        self.port = port
    }

    private static func split(_ authority: Substring) -> (host: String, port: Int?)? {
        let hostEnd: Substring.Index
        if authority.first == "[" {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            hostEnd = authority.index(after: bracket)
        } else {
            hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        let host = authority[..<hostEnd].lowercased()
        guard !host.isEmpty, host.utf8.allSatisfy(isHostByte) else { return nil }
        guard hostEnd != authority.endIndex else { return (host, nil) }
        let digits = authority[hostEnd...].dropFirst()
        guard authority[hostEnd] == ":", let port = Int(digits), (1...65_535).contains(port) else { return nil }
        return (host, port)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: ".-_[]:".utf8.contains(byte)
        }
    }

    /// Whether the host is this machine, where plain http is as good as https.
    package var isLoopback: Bool {
        host == "localhost" || host == "[::1]" || (host.hasPrefix("127.") && host.split(separator: ".").count == 4)
    }

    /// Scheme, host and port, as browsers write an `Origin` (RFC 6454 §6.2): the default port left out.
    package var origin: String {
        let scheme = isSecure ? "https" : "http"
        guard let port, port != (isSecure ? 443 : 80) else { return "\(scheme)://\(host)" }
        return "\(scheme)://\(host):\(port)"
    }

    package var description: String {
        "\(isSecure ? "https" : "http")://\(host)\(port.map { ":\($0)" } ?? "")\(path)"
    }
}
