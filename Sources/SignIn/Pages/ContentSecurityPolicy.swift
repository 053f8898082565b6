internal import Crypto

internal import struct Foundation.Data

/// Builds the pages' `Content-Security-Policy` (CSP Level 3).
enum ContentSecurityPolicy {
    /// Allows the one style sheet by its SHA-256, pictures from some hosts, and forms to this site: nothing else.
    static func text(style: String, pictures: PictureSources) -> String {
        let hash = Data(SHA256.hash(data: Array(style.utf8))).base64EncodedString()
        return [
            "default-src 'none'",
            "style-src 'sha256-\(hash)'",
            "img-src \(pictures.policy)",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
        ].joined(separator: "; ")
    }
}
