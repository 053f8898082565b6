internal import Crypto
import Settings

internal import struct FoundationEssentials.Data

/// Builds the `Content-Security-Policy` of pages (CSP Level 3).
enum ContentSecurityPolicy {
    /// Returns a policy that allows only the given resources.
    ///
    /// - Parameters:
    ///   - style: The style sheet, allowed by its SHA-256.
    ///   - pictures: The allowed hosts of pictures; the icon in the page is always allowed.
    ///   - script: The script of the page, allowed by its SHA-256.
    ///   - formTargets: Allowed targets of forms in addition to this site. Browsers apply `form-action` to redirects
    ///     too, so a form for the application, which may redirect to any https site, needs `https:`.
    static func text(
        style: String,
        pictures: PictureSources,
        script: String? = nil,
        formTargets: [String] = []
    ) -> String {
        var directives = [
            "default-src 'none'",
            "style-src '\(hash(style))'",
            "img-src data: \(pictures.policy)",
            (["form-action 'self'"] + formTargets).joined(separator: " "),
            "frame-ancestors 'none'",
            "base-uri 'none'",
        ]
        if let script { directives.append("script-src '\(hash(script))'") }
        return directives.joined(separator: "; ")
    }

    private static func hash(_ text: String) -> String {
        "sha256-" + Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString()
    }
}
