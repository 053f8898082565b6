import CCurl
import HTTP

/// A URL that may be called: https anywhere, or http on this machine.
///
/// It is taken apart by the parser that will also connect, so that the two cannot disagree about the host.
struct Destination: Sendable, Equatable {
    enum Scheme: String, Sendable {
        case http
        case https
    }

    let url: String
    let scheme: Scheme
    /// As a certificate names it: an address without brackets, or a name in ASCII without a dot at its end.
    let host: String

    /// Checks a URL.
    ///
    /// - Parameter url: an absolute URL, without user name.
    /// - Throws: `TransportError` with `.refusedURL`.
    init(_ url: String) throws(TransportError) {
        guard let parts = URLParts(url) else {
            throw TransportError(.refusedURL, detail: "not an absolute URL without a user name")
        }
        guard let scheme = parts[CURLUPART_SCHEME].flatMap(Scheme.init) else {
            throw TransportError(.refusedURL, detail: "not https")
        }
        guard let host = parts[CURLUPART_HOST] else { throw TransportError(.refusedURL, detail: "no host") }
        guard scheme == .https || Self.isLoopback(host) else {
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

    /// Tells whether a host, as libcurl spells it, is this machine whatever a name server says.
    ///
    /// libcurl answers `localhost` with the loopback addresses and asks nobody (RFC 6761 §6.3).
    static func isLoopback(_ host: String) -> Bool {
        if host == "[::1]" || host == "::1" || host.lowercased() == "localhost" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }
}

/// A URL as libcurl takes it apart.
// Safe because the pointer stays in here and is freed once.
@safe private struct URLParts: ~Copyable {
    private let raw: OpaquePointer

    init?(_ url: String) {
        // Unsafe because the handle is a C object: it stays in here, and is freed below or by `deinit`.
        guard let raw = unsafe curl_url() else { return nil }
        // Unsafe because a string goes to C: it is copied before the call returns. C would not see what is behind a NUL.
        let isTaken = unsafe curl_url_set(raw, CURLUPART_URL, url, ccurl_disallow_user) == CURLUE_OK
        guard isTaken, !url.utf8.contains(0) else {
            unsafe curl_url_cleanup(raw)
            return nil
        }
        unsafe self.raw = raw
    }

    deinit {
        // Unsafe because it frees a C object; because the type cannot be copied, this is the only time.
        unsafe curl_url_cleanup(raw)
    }

    subscript(part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        // Unsafe because libcurl hands out memory of its own: it is copied and freed here.
        let isTaken = unsafe curl_url_get(raw, part, &text, ccurl_punycode) == CURLUE_OK
        guard isTaken, let text = unsafe text else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
