internal import Crypto
import Settings

internal import struct FoundationEssentials.Data

/// Builds the pages' `Content-Security-Policy` (CSP Level 3).
enum ContentSecurityPolicy {
    /// Allows the one style sheet by its SHA-256, pictures from some hosts and the icon in the page itself, and forms to
    /// this site: nothing else.
    ///
    /// And the one script of a page that has one. A form that goes to the application may be redirected to any https
    /// site, as the application's own may: browsers hold redirects of a form against `form-action`, too.
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
