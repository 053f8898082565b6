import HTTP
import Sessions
import Settings

extension Site {
    func resumeCookies(of request: Request) -> ResumeCookies {
        ResumeCookies(request.cookies, sealer: sealer, now: now())
    }

    /// The cookies and the address of the page that sends the kept form of a sign-in; nil if the sign-in has none.
    func formCookies(
        of pending: PendingSignIn,
        request: Request
    ) throws(StoreError) -> (cookies: [SetCookie], path: ReturnPath)? {
        guard let ticket = pending.kept else { return nil }
        let cookies = try resumeCookies(of: request).cookies(adding: ticket, expires: pending.expires)
        return (cookies, resumePath(ticket.formLabel))
    }

    /// The address of the page that sends the form with a label.
    func resumePath(_ label: String) -> ReturnPath {
        ReturnPath(trusted: mount.path("/resume") + "?" + FormData(["form": label]).encoded)
    }

    /// The address of the page that sent a request, if the request confirms a kept form.
    func resumePath(for request: Request) -> ReturnPath? {
        guard mayResumeForm(request) else { return nil }
        // nginx requests the page for 403 without the body. Then the request is about the browser's only form.
        let label = ResumeForm(body: request.body)?.label ?? resumeCookies(of: request).onlyLabel
        return label.map(resumePath)
    }

    /// Returns whether a request may confirm a kept form, judged without its body.
    ///
    /// Only a browser that has the cookie of a kept form can send such a request.
    func mayResumeForm(_ request: Request) -> Bool {
        request.method == .post && keptForms != nil && request.mediaType == ResumeForm.contentType
            && !request.cookies.names(withPrefix: ResumeCookies.prefix).isEmpty
            && RequestKind(request) == .navigation
    }
}
