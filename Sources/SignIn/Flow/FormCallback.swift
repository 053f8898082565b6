import HTTP
import OpenID
import Provider
import Sessions

/// Callbacks that are forms (OAuth 2.0 Form Post Response Mode).
///
/// A page of the provider sends the form, so the request has no cookie of this site: all of them are SameSite=Lax. The
/// response redirects to GET of the same address, with which browsers send the cookies, because the method of the last
/// request of a redirect counts (RFC 6265bis §5.2). Everything else is as at other providers: a page that sends a forged form
/// can do no more than a link to a callback.
struct FormCallback {
    /// What the program reads of a form.
    private static let names: Set = ["state", "code", "error", "iss", "user"]
    /// The maximum length of what is sealed, in bytes: the redirect must fit into nginx's buffer of 8 KiB.
    private static let limit = 4096

    let sealer: ServerKeys

    /// The address of the same callback by GET, with the sealed form.
    ///
    /// The seal keeps code and name out of the browser's history. It does not show who sent the form.
    func redirect(of request: Request, at provider: Provider) throws -> String {
        let form = try form(of: request)
        _ = try provider.client.parseCallback(query: form)
        let sealed = try sealer.seal([UInt8](form.utf8), purpose: Self.purpose(provider))
        return "\(request.path)?\(FormData(["answer": sealed]).encoded)"
    }

    /// The query of a callback by GET; of a provider that sends forms, only a sealed form is accepted.
    func query(of request: Request, at provider: Provider) throws(OpenIDError) -> String {
        guard provider.client.options.usesFormPost else { return request.query }
        guard case .one(let sealed)? = FormData(parsing: request.query)?["answer"],
            let form = sealer.open(sealed, purpose: Self.purpose(provider))
        else { throw Self.malformed("the callback did not arrive as a form") }
        return String(decoding: form, as: UTF8.self)
    }

    private func form(of request: Request) throws(OpenIDError) -> String {
        guard request.mediaType == "application/x-www-form-urlencoded",
            let form = FormData(body: request.body)
        else { throw Self.malformed("the body is not a form") }
        guard form["user"] != .repeated else { throw Self.malformed("user is repeated") }
        var read = FormData()
        for (name, value) in form.pairs where Self.names.contains(name) { read.append(name, value) }
        guard read.encoded.utf8.count <= Self.limit else { throw Self.malformed("the form is too long") }
        return read.encoded
    }

    private static func malformed(_ detail: String) -> OpenIDError { OpenIDError(.malformedCallback, detail: detail) }

    private static func purpose(_ provider: Provider) -> String { "form \(provider.client.redirectURI)" }
}
