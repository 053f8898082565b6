internal import Encoding
import POSIX

/// The site's logo, small enough to be part of every page.
///
/// Pages contain it as a `data:` URL in an `img` element: browsers run no script of such a picture and load nothing for it
/// (SVG Integration §2), and no other address of the site serves it as a document.
package struct Logo: Sendable, Equatable {
    /// Why a file cannot be the logo, without its path.
    package typealias Unusable = OperatorFile.Unusable

    /// The maximum size of the file in bytes.
    package static let maximumSize = 32 * 1024

    /// The `data:` URL (RFC 2397).
    package let url: String
    /// The file that contains it; nil for bytes.
    package private(set) var path: String?

    /// Reads a picture; its type depends on its content only.
    ///
    /// - Throws: `Unusable`.
    package init(path: String) throws(Unusable) {
        try self.init(OperatorFile.contents(path, limit: Self.maximumSize))
        self.path = path
    }

    /// - Throws: `Unusable` if the bytes are not a picture that browsers show.
    package init(_ bytes: [UInt8]) throws(Unusable) {
        guard let type = try Self.type(of: bytes) else {
            throw Unusable(advice: "is not a picture in SVG, PNG, WebP, JPEG or GIF")
        }
        url = "data:\(type);base64,\(Base64.encode(bytes))"
    }

    private static func type(of bytes: [UInt8]) throws(Unusable) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) { return "image/gif" }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        guard let text = String(validating: bytes, as: UTF8.self), let root = SVGRoot(text) else { return nil }
        guard root.namespace == "http://www.w3.org/2000/svg" else {
            let advice = "add xmlns=\"http://www.w3.org/2000/svg\" to its first tag"
            throw Unusable(advice: "is an SVG picture that browsers do not show: \(advice)")
        }
        return "image/svg+xml"
    }
}
