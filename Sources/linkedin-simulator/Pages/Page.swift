/// The frame of every page.
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
            <footer>This is a simulator. Nobody on these pages exists, and nothing leaves this machine.</footer>
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
