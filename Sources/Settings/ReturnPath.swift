/// A place of this site to go to after signing in: the only way to name one, so that no redirect leads elsewhere.
///
/// Browsers read a `Location` with the rules of WHATWG URL, which drop tabs and line breaks, take `\` for `/`, and find
/// another host behind `//`. So a path is taken as sent, byte for byte, or not at all (RFC 9700 §4.11.1).
package struct ReturnPath: Sendable, Equatable {
    /// A cookie must hold it beside what a sign-in needs.
    package static let maximumLength = 1536

    /// Path and query, as they stand in a request line.
    package let text: String

    /// Nil for anything but `/`, a character that is neither slash nor backslash, and then visible ASCII without
    /// fragment; what only a query may hold as it is, as browsers send it, is refused in the path.
    package init?(_ text: String) {
        let path = text.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard text.utf8.count <= Self.maximumLength, text.utf8.first == UInt8(ascii: "/"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !"\"#<>".utf8.contains($0) }),
            !path.contains(where: "\\`{}".utf8.contains), Self.isLocal(text)
        else { return nil }
        self.text = text
    }

    /// Whether a sign-in may end there: a route that begins, finishes or ends one would only begin another, fail, or
    /// be refused.
    package func isDestination(mount: Mount) -> Bool {
        guard let path = SitePath(routed, mount: mount) else { return true }
        return ![.login, .callback, .signOut].contains(path)
    }

    /// The path as web servers route it: decoded once, then without dot segments and repeated slashes.
    private var routed: String {
        let path = Self.decodedOnce([UInt8](text.utf8.prefix { $0 != UInt8(ascii: "?") }))
        let parts = String(decoding: path, as: UTF8.self).split(separator: "/", omittingEmptySubsequences: false)
        var segments: [Substring] = []
        for part in parts where !part.isEmpty && part != "." {
            if part == ".." { _ = segments.popLast() } else { segments.append(part) }
        }
        let isOpen = ["", ".", ".."].contains(parts.last) && !segments.isEmpty
        return "/" + segments.joined(separator: "/") + (isOpen ? "/" : "")
    }

    /// The site's own page, known to be local.
    package init(trusted text: String) {
        self.text = text
    }

    /// Whether no number of decodings makes the path begin with two slashes.
    ///
    /// A browser does not decode, but what stands behind a location may redirect to the decoded path, and then it
    /// would be our open redirect all the same. What is escaped more than three times over nobody means.
    private static func isLocal(_ text: String) -> Bool {
        var decoded = [UInt8](text.utf8.prefix { $0 != UInt8(ascii: "?") })
        for _ in 0...3 {
            if decoded.count > 1, [UInt8(ascii: "/"), UInt8(ascii: "\\")].contains(decoded[1]) { return false }
            if decoded.contains(where: { $0 < 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "\\") }) { return false }
            let next = decodedOnce(decoded)
            if next == decoded { return true }
            decoded = next
        }
        return false
    }

    private static func decodedOnce(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let value = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                result.append(value)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }
}
