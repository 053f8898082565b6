import HTTP
import Sessions

/// The provider of the last sign-in in a browser, which a cookie remembers so that it is offered first.
///
/// The cookie is not sealed: another value changes only the order of the providers.
enum LastProvider {
    private static let name = "provider"
    /// Seconds.
    private static let lifetime = 365 * 86_400

    static func id(_ cookies: Cookies) -> ProviderID? {
        guard case .one(let text) = cookies[SetCookie.prefix + name] else { return nil }
        return ProviderID(text)
    }

    static func cookie(_ id: ProviderID) -> SetCookie { SetCookie(name, value: id.description, maxAge: lifetime) }
}
