/// A page with the layout that all pages share.
struct Page: Sendable {
    var status = 200
    let title: String
    let content: HTML

    var response: Response {
        let document: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <style>\(Style.sheet)</style>
            </head>
            <body>
            <main>
            <p class="brand">Simulated LinkedIn</p>
            \(content)
            </main>
            <footer>This is a simulator. Its members do not exist, and no data leaves this machine.</footer>
            </body>
            </html>

            """
        var response = Response.text(document.text, type: "text/html; charset=utf-8", status: status)
        response.headers["Cache-Control"] = "no-store"
        response.headers["Content-Security-Policy"] =
            "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"
        return response
    }
}

/// A page with one sentence, for visitors who cannot be sent back.
struct MessagePage: Sendable {
    let status: Int
    let message: String

    var response: Response {
        Page(status: status, title: "Something went wrong", content: "<h1>Something went wrong</h1>\n<p>\(message)</p>")
            .response
    }
}

/// The style sheet of the pages.
enum Style {
    static let sheet: HTML = """
        :root { color-scheme: light dark; --page: #f3f2ef; --card: #fff; --text: #1d2226; --quiet: #56616b; \
        --line: #d5d9dd; --accent: #0a66c2; --on-accent: #fff; --chosen: #eaf3fc }
        @media (prefers-color-scheme: dark) { :root { --page: #14181b; --card: #1f2529; --text: #eef1f3; \
        --quiet: #a9b4bd; --line: #3b454d; --accent: #71b7fb; --on-accent: #06264a; --chosen: #173350 } }
        * { box-sizing: border-box }
        body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
        main { max-width: 30rem; margin: clamp(.75rem, 5vw, 2.5rem) auto 1rem; padding: clamp(1rem, 5vw, 2rem); background: var(--card); \
        border: 1px solid var(--line); border-radius: 12px }
        h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere }
        h2 { margin: 1.5rem 0 .25rem; font-size: 1rem }
        p { margin: .5rem 0 } ul { margin: .25rem 0; padding-left: 1.25rem }
        a { color: var(--accent) } code { overflow-wrap: anywhere }
        .brand { margin: 0 0 1.25rem; color: var(--accent); font-weight: 700 }
        .quiet { color: var(--quiet) }
        fieldset { min-width: 0; margin: 1.25rem 0; padding: 0; border: 0 }
        .members { max-height: 11rem; overflow-y: auto }
        legend { margin-bottom: .5rem; padding: 0; font-weight: 600 }
        label { display: flex; gap: .5rem; align-items: center; padding: .5rem; margin-bottom: .375rem; \
        border: 1px solid var(--line); border-radius: 8px; cursor: pointer }
        label:has(:checked) { border-color: var(--accent); background: var(--chosen) }
        label > span { min-width: 0; overflow-wrap: anywhere } label small { display: block; color: var(--quiet) }
        input { flex: none; width: 1.1rem; height: 1.1rem; accent-color: var(--accent) }
        img, .nobody { flex: none; width: 40px; height: 40px; border-radius: 50%; background: var(--line) }
        .portrait { width: 96px; height: 96px }
        .buttons { display: flex; flex-wrap: wrap; gap: .75rem }
        button { flex: 1 1 8rem; min-height: 44px; padding: .5rem 1.25rem; border: 1px solid var(--accent); \
        border-radius: 22px; background: none; color: var(--accent); font: inherit; font-weight: 600; cursor: pointer }
        button.main { background: var(--accent); color: var(--on-accent) }
        button.small { flex-basis: 100%; padding: 0; border-color: transparent; font-weight: 400 }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
        footer { max-width: 30rem; margin: 0 auto 2rem; padding: 0 1rem; color: var(--quiet); font-size: .875rem; \
        text-align: center }
        """
}
