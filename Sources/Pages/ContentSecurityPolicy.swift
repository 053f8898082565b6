internal import Crypto
internal import Encoding
import Settings

/// Builds the `Content-Security-Policy` of pages (CSP Level 3).
enum ContentSecurityPolicy {
    /// Returns a policy that allows a style sheet and a script by their SHA-256, pictures, and forms to this site.
    ///
    /// The icon in the page is always allowed. Browsers apply `form-action` to redirects too.
    static func text(
        style: String,
        pictures: PictureSources,
        script: PageScript? = nil,
        formTargets: [String] = []
    ) -> String {
        var directives = [
            "default-src 'none'",
            "style-src '\(hash(style))'",
            "img-src data: \(pictures.policy)",
            (["form-action 'self'"] + formTargets + (script?.formTargets ?? [])).joined(separator: " "),
            "frame-ancestors 'none'",
            "base-uri 'none'",
        ]
        if let script { directives.append("script-src '\(hash(script.text))'") }
        return directives.joined(separator: "; ")
    }

    /// Returns a policy for a page in a file: as on the site, but with no pictures but those in the page, and without forms
    /// and other sites.
    static func offline(style: String, script: PageScript?) -> String {
        let style = "style-src '\(hash(style))'"
        var directives = ["default-src 'none'", style, "img-src data:", "form-action 'none'", "base-uri 'none'"]
        if let script { directives.append("script-src '\(hash(script.text))'") }
        return directives.joined(separator: "; ")
    }

    private static func hash(_ text: String) -> String {
        "sha256-" + Base64.encode(SHA256.hash(data: Array(text.utf8)))
    }
}
