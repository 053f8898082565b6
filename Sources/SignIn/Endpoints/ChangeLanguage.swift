import HTTP
import Pages
import Settings

extension Site {
    /// The cookie with the language that the visitor chose.
    private static let languageCookieName = "language"
    /// Seconds.
    private static let languageLifetime = 365 * 86_400

    /// Answers `GET /language`: shows the pages in the language `tag` from now on, and returns to `return_to`.
    func changeLanguage(_ request: Request) throws -> Response {
        guard let form = FormData(parsing: request.query), case .one(let tag) = form["tag"],
            let language = pages.language(tag: tag)
        else { return try problem(.notFound, for: request) }
        var response = try redirect(to: destination(in: form)?.text ?? mount.path(SitePath.home.rawValue))
        if request.method != .head {
            let cookie = SetCookie(Self.languageCookieName, value: language.tag, maxAge: Self.languageLifetime)
            try response.headers.append(.setCookie, cookie.headerValue)
        }
        return response
    }

    /// The language of the pages for a visitor.
    func language(of request: Request) -> Language {
        var chosen: String?
        if case .one(let tag) = request.cookies[SetCookie.prefix + Self.languageCookieName] { chosen = tag }
        return pages.language(chosen: chosen, acceptLanguage: request.headers[.acceptLanguage])
    }

    /// The path to which a change of the language returns: the page itself, if a GET request shows it again.
    func place(of request: Request) -> String? {
        guard request.method == .get, let path = ReturnPath(request.uri), path.isDestination(mount: mount) else {
            return nil
        }
        return path.text
    }
}
