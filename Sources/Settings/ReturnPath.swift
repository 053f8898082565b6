import Encoding
import HTTP

/// A path of this site to return to after sign-in.
///
/// Redirects after sign-in use only this type, so they never lead to another site. Browsers parse a `Location` by the
/// rules of WHATWG URL: they remove tabs and line breaks, read `\` as `/`, and read a host after `//`. Therefore a path
/// is either kept byte for byte or rejected (RFC 9700 §4.11.1).
package struct ReturnPath: Sendable, Equatable {
    /// The maximum length in bytes; a cookie must hold the path and the other data of a sign-in.
    package static let maximumLength = 1536

    /// Path and query, as in a request line.
    package let text: String

    /// Accepts a path that starts with exactly one slash and consists of visible ASCII, without a fragment.
    ///
    /// Browsers send a backslash, a grave accent and braces unescaped only in a query, so they are rejected in the
    /// path.
    package init?(_ text: String) {
        let path = text.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard text.utf8.count <= Self.maximumLength, text.utf8.first == UInt8(ascii: "/"),
            text.utf8.allSatisfy({ $0.isASCIIVisible && !"\"#<>".utf8.contains($0) }),
            !path.contains(where: "\\`{}".utf8.contains), Self.isLocal(text)
        else { return nil }
        self.text = text
    }

    /// The text before the query.
    package var path: Substring { text.prefix { $0 != "?" } }

    /// Whether a sign-in may return to this path; false for the routes that start or finish a sign-in or sign out.
    package func isDestination(mount: Mount) -> Bool {
        ![.login, .callback, .signOut].contains(sitePath(mount: mount))
    }

    /// The route of the program to which web servers pass this path; nil for a path of an application.
    package func sitePath(mount: Mount) -> SitePath? {
        SitePath(routed, mount: mount)
    }

    /// The path as web servers route it: decoded once, without dot segments and repeated slashes.
    private var routed: String {
        let path = Percent.decodePath([UInt8](text.utf8.prefix { $0 != UInt8(ascii: "?") }))
        let parts = String(decoding: path, as: UTF8.self).split(separator: "/", omittingEmptySubsequences: false)
        var segments: [Substring] = []
        for part in parts where !part.isEmpty && part != "." {
            if part == ".." { _ = segments.popLast() } else { segments.append(part) }
        }
        let isOpen = ["", ".", ".."].contains(parts.last) && !segments.isEmpty
        return "/" + segments.joined(separator: "/") + (isOpen ? "/" : "")
    }

    /// Creates a return path from a path that is known to be local.
    package init(trusted text: String) {
        self.text = text
    }

    /// Whether a path begins with two slashes, also after a browser removed its dot segments (WHATWG URL, path state).
    private static func beginsWithTwoSlashes(_ path: [UInt8]) -> Bool {
        var segments: [ArraySlice<UInt8>] = []
        let parts = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let isDots = part.elementsEqual("..".utf8)
            if isDots { _ = segments.popLast() }
            if !isDots, !part.elementsEqual(".".utf8) {
                segments.append(part)
            } else if index == parts.count - 1 {
                segments.append([])
            }
        }
        return segments.count > 1 && segments[0].isEmpty
    }

    /// Whether the path still starts with one slash after repeated decoding.
    ///
    /// A browser does not decode the path, but an application may redirect to the decoded path, and then this program
    /// would be part of an open redirect. No legitimate path is escaped more than three times.
    private static func isLocal(_ text: String) -> Bool {
        var decoded = [UInt8](text.utf8.prefix { $0 != UInt8(ascii: "?") })
        for _ in 0...3 {
            if beginsWithTwoSlashes(decoded) { return false }
            if decoded.contains(where: { $0.isASCIIControl || $0 == UInt8(ascii: "\\") }) { return false }
            let next = Percent.decodePath(decoded)
            if next == decoded { return true }
            decoded = next
        }
        return false
    }
}
