import Encoding
import HTTP

/// The path of a request at a guarded location, if web servers and applications can read it in one way only.
///
/// nginx and lighttpd decode a path, remove dot segments and merge slashes before they choose a location, but pass the
/// client's spelling on. A token that is limited to some paths must not reach others by a spelling that two programs read
/// differently, so an unusual spelling is not a path here. Scripts do not need it.
package struct GuardedPath: Sendable, Equatable {
    private let decoded: [UInt8]

    /// Reads the client's spelling of path and query (`REQUEST_URI`).
    ///
    /// Nil for a path with a dot segment, an empty segment, a backslash, an escaped slash, an escape in an escape, a
    /// fragment or a control character.
    package init?(_ uri: String) {
        let path = [UInt8](uri.utf8.prefix { $0 != UInt8(ascii: "?") })
        let decoded = Percent.decodePath(path)
        guard decoded.first == UInt8(ascii: "/"),
            !path.contains(UInt8(ascii: "#")),
            decoded.count(where: { $0 == UInt8(ascii: "/") }) == path.count(where: { $0 == UInt8(ascii: "/") }),
            !decoded.contains(where: { $0.isASCIIControl || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "%") })
        else { return nil }
        let segments = decoded.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // Only the last segment may be empty, and the first, which is before the first slash.
        guard !segments.dropFirst().dropLast().contains(where: \.isEmpty) else { return nil }
        for segment in segments {
            // Some applications ignore what follows a semicolon.
            let name = segment.prefix { $0 != UInt8(ascii: ";") }
            guard !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) else { return nil }
        }
        self.decoded = decoded
    }

    /// Whether the path is at a location: `/a/` has every path that begins with it, `/a` also `/a` itself, but not `/ab`.
    package func isAt(_ location: String) -> Bool {
        let bytes = location.utf8
        guard decoded.starts(with: bytes) else { return false }
        return bytes.last == UInt8(ascii: "/") || decoded.count == bytes.count
            || decoded[bytes.count] == UInt8(ascii: "/")
    }
}
