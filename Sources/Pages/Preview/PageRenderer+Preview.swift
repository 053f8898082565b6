extension PageRenderer {
    /// A drawn portrait, which needs no network.
    private static let portrait =
        "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 56 56%22%3E"
        + "%3Crect width=%2256%22 height=%2256%22 fill=%22%238aa4b8%22/%3E"
        + "%3Cpath fill=%22%23fff%22 d=%22M28 31a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM10 56a18 18 0 0 1 36 0z%22/%3E%3C/svg%3E"

    /// Renders a page as a file that a browser can open without a server.
    ///
    /// The file has the policy of the page, but it loads nothing, sends no form, and has no script that acts by itself.
    func preview(_ page: Page, language: Language) -> String {
        let script = page.content.script == .copy ? PageScript.copy : nil
        let policy = ContentSecurityPolicy.offline(style: templates.style, script: script)
        let text = String(decoding: render(page, language: language, at: "/"), as: UTF8.self)
            .replacing(PageSample.pictureURL, with: Self.portrait)
        let tag = "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">"
        // A policy counts only in the head; without one, a browser adds it around the tag.
        let head = text.firstRange(of: "<head>")?.upperBound ?? text.firstRange(of: ">")?.upperBound ?? text.startIndex
        return text[..<head] + "\n" + tag + text[head...]
    }
}
