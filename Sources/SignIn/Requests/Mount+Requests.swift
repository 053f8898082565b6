import HTTP
import Settings

/// Which page sent a request, as the browser says; a page cannot forge these fields.
///
/// | accepts requests | `isFromThisOrigin` | `isFromThisSite` | `isFromSameSite` |
/// | --- | --- | --- | --- |
/// | of a page of this origin | yes | yes | yes |
/// | of a page of a subdomain or another port | no | no | yes |
/// | caused by a person, for example by a reload (`none`) | no | yes | yes |
/// | of a client that is not a browser and sends neither field | no | yes | yes |
/// | of any other page | no | no | no |
///
/// Browsers without `Sec-Fetch-Site`, such as Safari before 16.4, send `Origin`. It is `null` on pages that forbid
/// referrers, which includes hostile pages.
extension Mount {
    /// For a form that is sent again later: a person cannot send one without a page.
    func isFromThisOrigin(_ request: Request) -> Bool {
        if let site = request.headers[.secFetchSite] { return site == "same-origin" }
        return request.headers[.origin] == origin
    }

    /// For a change to a session.
    ///
    /// A client that is not a browser does not load pages of other sites.
    func isFromThisSite(_ request: Request) -> Bool {
        if let site = request.headers[.secFetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = request.headers[.origin] else { return true }
        return origin == self.origin
    }

    /// For reading who is signed in, and for choosing the language.
    func isFromSameSite(_ request: Request) -> Bool {
        isFromThisSite(request) || request.headers[.secFetchSite] == "same-site"
    }

    /// The return path in a form's `return_to`; nil without a valid one.
    func destination(in form: FormData) -> ReturnPath? {
        guard case .one(let text) = form["return_to"], let path = ReturnPath(text), path.isDestination(mount: self)
        else { return nil }
        return path
    }
}
