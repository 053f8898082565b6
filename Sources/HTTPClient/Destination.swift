import CCurl
import HTTP

/// A URL that may be called: https to any host, or http to this machine.
///
/// libcurl parses the URL here and when it connects, so that the two cannot disagree about the host.
struct Destination: Sendable, Equatable {
    enum Scheme: String, Sendable {
        case http
        case https
    }

    let url: String
    let scheme: Scheme
    /// The host as a certificate names it: an address without brackets, or a name in ASCII without a final dot.
    let host: String

    /// Checks a URL.
    ///
    /// - Parameter url: An absolute URL, without a user name.
    /// - Throws: `TransportError` with `.refusedURL`.
    init(_ url: String) throws(TransportError) {
        guard let parts = URLParts(url) else {
            throw TransportError(.refusedURL, detail: "not an absolute URL without a user name")
        }
        guard let scheme = parts[CURLUPART_SCHEME].flatMap(Scheme.init) else {
            throw TransportError(.refusedURL, detail: "not https")
        }
        // libcurl resolves `localhost` to the loopback addresses without asking a name server.
        guard let host = parts[CURLUPART_HOST] else { throw TransportError(.refusedURL, detail: "no host") }
        guard scheme == .https || Host.isLoopback(host) else {
            throw TransportError(.refusedURL, detail: "plain http to a host that is not this machine")
        }
        self.url = url
        self.scheme = scheme
        self.host = Self.certified(host)
    }

    private static func certified(_ host: String) -> String {
        if host.hasPrefix("[") { return String(host.dropFirst().dropLast()) }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}

/// The parts of a URL, as libcurl parses it.
///
/// @safe because the pointer does not leave this type and is freed once.
@safe private struct URLParts: ~Copyable {
    private let raw: OpaquePointer

    init?(_ url: String) {
        // unsafe because the handle is a C object: it does not leave this type, and is freed below or by `deinit`.
        guard let raw = unsafe curl_url() else { return nil }
        // unsafe because the text becomes a C string: it is copied before the call returns, up to a NUL.
        let isTaken = unsafe curl_url_set(raw, CURLUPART_URL, url, ccurl_disallow_user) == CURLUE_OK
        guard isTaken, !url.utf8.contains(0) else {
            unsafe curl_url_cleanup(raw)
            return nil
        }
        unsafe self.raw = raw
    }

    deinit {
        // unsafe because it frees a C object; this happens once, because the type cannot be copied.
        unsafe curl_url_cleanup(raw)
    }

    subscript(part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        // unsafe because libcurl returns allocated memory: it is copied and freed here.
        let isTaken = unsafe curl_url_get(raw, part, &text, ccurl_punycode) == CURLUE_OK
        guard isTaken, let text = unsafe text else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
