/// All pages with invented data as files that a browser can open without a server.
package struct Preview: Sendable {
    /// A file of the preview.
    package struct File: Sendable {
        /// The path in the folder.
        package let path: String
        package let text: String
    }

    private let renderers: [(theme: Theme, renderer: PageRenderer)]
    private let samples: [PageSample]

    /// - Parameters:
    ///   - contact: `SIGNIN_CONTACT`; nil for an invented address.
    ///   - makeRenderer: Makes the renderer whose pages show a theme.
    /// - Throws: The error of `makeRenderer`.
    package init<Failure>(
        contact: String?,
        makeRenderer: (Theme) throws(Failure) -> PageRenderer
    ) throws(Failure) {
        samples = Page.types.flatMap { $0.samples(contact: contact ?? "help@example.com") }
        var renderers: [(Theme, PageRenderer)] = []
        for theme in Theme.allCases { renderers.append((theme, try makeRenderer(theme))) }
        self.renderers = renderers
    }

    /// The number of pages.
    package var count: Int { samples.count * languages.count * renderers.count }

    /// All pages, made one after another.
    package var pages: some Sequence<File> {
        samples.lazy.flatMap { sample in
            languages.lazy.flatMap { language in
                renderers.lazy.map { theme, renderer in
                    let page = renderer.preview(sample.page, language: language)
                    return File(path: path(of: sample, language, theme), text: page)
                }
            }
        }
    }

    private var languages: [Language] { renderers.first?.renderer.languages ?? [] }

    private func path(of sample: PageSample, _ language: Language, _ theme: Theme) -> String {
        "\(language.tag)/\(sample.name)-\(theme).html"
    }

    /// The text by which a later preview knows that it may replace the files of a folder.
    package static let mark = "<meta name=\"generator\" content=\"linkedin-signin preview\">"

    /// The page that links all pages.
    package var index: File {
        let sections = samples.map { sample in
            let links = languages.map { language in
                let links = Theme.allCases.map { theme in
                    let label = "\(sample.name), \(language.tag), \(theme)"
                    return "<a href=\"\(path(of: sample, language, theme))\" aria-label=\"\(label)\">\(theme)</a>"
                }
                return "<li>\(language.tag) \(links.joined(separator: " "))</li>"
            }
            let frames = Theme.allCases.map { theme in
                let source = path(of: sample, .english, theme)
                // The sandbox ignores `autofocus`, which would scroll the index to the frame.
                let attributes = "title=\"\(sample.name), \(theme)\" loading=\"lazy\" tabindex=\"-1\" sandbox=\"\""
                return "<iframe src=\"\(source)\" \(attributes)></iframe>"
            }
            return """
                <section>
                <h2>\(sample.name)</h2>
                <div class="thumbnails">\(frames.joined())</div>
                <ul>
                \(links.joined(separator: "\n"))
                </ul>
                </section>
                """
        }
        return File(path: "index.html", text: Self.frame(sections.joined(separator: "\n")))
    }

    private static func frame(_ content: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        \(mark)
        <title>Pages of linkedin-signin</title>
        <style>
        :root { color-scheme: light dark; }
        main { display: grid; grid-template-columns: repeat(auto-fill, minmax(21rem, 1fr)); gap: 1.5rem; }
        h1, main > p { grid-column: 1 / -1; margin: 0; }
        .thumbnails { display: flex; gap: .5rem; }
        .thumbnails iframe {
          width: 26rem; height: 34rem; margin: 0 -15.8rem -20.4rem 0; border: 1px solid #7b8794; border-radius: .75rem;
          transform: scale(.39); transform-origin: 0 0; pointer-events: none;
        }
        body { max-width: 80rem; margin: 2rem auto; padding: 0 1rem; font-family: system-ui, sans-serif; line-height: 1.5; }
        h2 { margin: 1.5rem 0 0; font-size: 1rem; overflow-wrap: anywhere; }
        ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
        a { padding: .25rem; }
        </style>
        </head>
        <body>
        <main>
        <h1>Pages of linkedin-signin</h1>
        <p>Each page with sample data, in each language and in both themes. Links and buttons on the pages lead nowhere.</p>
        \(content)
        </main>
        </body>
        </html>

        """
    }
}
