import HTTP
import Sessions
import Settings

extension Site {
    func resumeCookies(of request: Request) -> ResumeCookies {
        ResumeCookies(request.cookies, sealer: sealer, now: now())
    }

    /// What hands the form of a sign-in over to the page that sends it: cookies, and where that page is.
    ///
    /// Nil if the sign-in has none.
    func formCookies(
        of pending: PendingSignIn,
        request: Request
    ) throws(StoreError) -> (cookies: [SetCookie], path: ReturnPath)? {
        guard let ticket = pending.kept else { return nil }
        let cookies = try resumeCookies(of: request).cookies(adding: ticket, expires: pending.expires)
        return (cookies, resumePath(ticket.formLabel))
    }

    /// The page that sends the form with a label.
    func resumePath(_ label: String) -> ReturnPath {
        ReturnPath(trusted: mount.path("/resume") + "?" + FormData(["form": label]).encoded)
    }

    /// The page from which a request came, if that is the one that sends a kept form.
    func resumePath(for request: Request) -> ReturnPath? {
        guard mayResumeForm(request) else { return nil }
        // nginx's own page for 403 is asked for without the body; a browser with one form can mean no other.
        let label = ResumeForm(body: request.body)?.label ?? resumeCookies(of: request).onlyLabel
        return label.map(resumePath)
    }

    /// Whether a request can be that of the page that sends kept forms, by what can be told without its body.
    ///
    /// Only of a browser that was on such a page: nobody else is sent round.
    func mayResumeForm(_ request: Request) -> Bool {
        request.method == .post && keptForms != nil && request.mediaType == ResumeForm.contentType
            && !request.cookies.names(withPrefix: ResumeCookies.prefix).isEmpty
            && RequestKind(request) == .navigation
    }
}
