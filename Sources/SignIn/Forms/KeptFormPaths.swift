import HTTP
import Sessions
import Settings

import struct FoundationEssentials.Date

/// The addresses of the pages that send kept forms, and the cookies that open them.
struct KeptFormPaths: Sendable {
    private let mount: Mount
    /// Whether the site keeps forms.
    private let isUsed: Bool
    private let sealer: ServerKeys
    private let now: @Sendable () -> Date

    init(_ mount: Mount, isUsed: Bool, sealer: ServerKeys, now: @escaping @Sendable () -> Date) {
        (self.mount, self.isUsed, self.sealer, self.now) = (mount, isUsed, sealer, now)
    }

    /// The cookies of the kept forms of a browser.
    func cookies(of request: Request) -> KeptFormCookies {
        KeptFormCookies(request.cookies, sealer: sealer, now: now())
    }

    /// The cookies and the address of the page that sends a kept form.
    func page(
        of ticket: Ticket,
        expires: Date,
        request: Request
    ) throws(StoreError) -> (cookies: [SetCookie], path: ReturnPath) {
        (try cookies(of: request).cookies(adding: ticket, expires: expires), path(ticket.formLabel))
    }

    /// The address of the page that sends the form with a label.
    func path(_ label: String) -> ReturnPath {
        ReturnPath(trusted: mount.path("/resume") + "?" + FormData(["form": label]).encoded)
    }

    /// Whether a path is the page of a form that is kept for the browser.
    func isPage(_ path: ReturnPath?, of request: Request) -> Bool {
        let cookies = cookies(of: request)
        return cookies.labels.contains { label in
            if case .kept = cookies.find(label) { path == self.path(label) } else { false }
        }
    }

    /// The address of the page that sent a request, if the request confirms a kept form.
    func path(confirmedBy request: Request) -> ReturnPath? {
        guard mayBeConfirmed(by: request) else { return nil }
        // nginx requests the page for 403 without the body. Then the request is about the browser's only form.
        let label = KeptFormConfirmation(body: request.body)?.label ?? cookies(of: request).onlyLabel()
        return label.map(path)
    }

    /// Returns whether a request may confirm a kept form, judged without its body.
    ///
    /// Only a browser that has the cookie of a kept form can send such a request.
    func mayBeConfirmed(by request: Request) -> Bool {
        request.method == .post && isUsed && request.mediaType == KeptFormConfirmation.contentType
            && !request.cookies.names(withPrefix: KeptFormCookies.prefix).isEmpty
            && RequestKind(request) == .navigation
    }
}
