import CCurl
import HTTP

/// A call in progress: libcurl's handle, the answer so far, and the waiting task.
///
/// Only the loop's thread uses it.
final class Transfer {
    let call: Call
    let easy: EasyHandle
    /// Whether libcurl must make a new connection in the next attempt.
    private var needsAnotherConnection = false
    private let idle: IdleConnections
    private let observer: CurlTransport.Observer
    private let start = ContinuousClock.now
    private var reader: AnswerReader
    private let reportsCertificate: Bool
    /// Seconds since 1970.
    private var certificateEnd: Int?
    /// How often libcurl started to send the request.
    private var attempts = 0
    private var newConnections = 0
    private var mayHaveSent = false
    /// Whether this object cancelled the transfer because the connection that libcurl found cannot be used.
    private var mustRestart = false
    /// Whether the server has reported, on the connection of the last attempt, that it did not process the request.
    private var isUnprocessed = false
    /// Whether the server has sent close_notify on the connection of the last attempt (RFC 8446 §6.1).
    private var isEndAnnounced = false
    private let mayAnnounceEnd: Bool
    /// Whether the server has asked for a certificate of the client.
    private var isCertificateRequested = false
    /// Whether the server has ended the handshake because it got no certificate of the client.
    private var isCertificateMissed = false
    /// Why this object cancelled the transfer; more precise than libcurl's code for a cancelled transfer.
    private var refusal: TransportError?

    init(
        _ call: Call,
        on easy: EasyHandle,
        idle: IdleConnections,
        _ configuration: CurlTransport.Configuration,
        observer: @escaping CurlTransport.Observer
    ) {
        self.call = call
        self.easy = easy
        self.idle = idle
        self.observer = observer
        reader = AnswerReader(configuration)
        reportsCertificate = configuration.reportsCertificates && call.destination.scheme == .https
        mayAnnounceEnd = call.destination.scheme == .https && !CurlTransport.usesProxyOverTLS
    }

    /// Whether the request needs a new connection that no other call uses.
    ///
    /// A request that must not be processed twice, such as one with an authorization code (RFC 6749 §4.1.2), may be
    /// repeated only if the server reports that it has not processed it (RFC 9113 §8.7). On a kept connection, libcurl
    /// repeats a request after every connection that ends without an answer, which proves nothing, and does not report
    /// the reason. On a new connection it does.
    private var needsOwnConnection: Bool { !call.request.method.isIdempotent }

    /// The same error, which also says whether anything of the request was sent.
    func statingWhetherSent(_ error: TransportError) -> TransportError {
        var error = error
        error.isUnsent = !mayHaveSent
        return error
    }

    /// Returns whether a transfer that has ended must be started again, and makes it use a new connection then.
    func beginRestart(after result: CURLcode) -> Bool {
        guard mustRestart || mayRepeat(after: result) else { return false }
        mustRestart = false
        needsAnotherConnection = true
        newConnections = 0
        return true
    }

    /// libcurl does not always repeat a request itself, for example when a server closes a connection before any answer.
    private func mayRepeat(after result: CURLcode) -> Bool {
        guard attempts > 0, refusal == nil, !reader.hasBegun else { return false }
        if needsOwnConnection { return result != CURLE_OK && isUnprocessed && attempts == 1 }
        return attempts < 3 && [CURLE_HTTP2, CURLE_HTTP2_STREAM].contains(result)
    }

    /// The answer, or the error.
    func outcome(_ result: CURLcode) -> Call.Outcome {
        if let refusal { return .failure(refusal) }
        guard result == CURLE_OK else {
            if isUnprocessed, attempts > 1 { return .failure(refusedTwice) }
            if isCertificateMissed { return .failure(.missingClientCertificate(at: call.destination.host)) }
            return .failure(TransportError(result, of: easy, host: call.destination.host))
        }
        return Result { () throws(TransportError) in
            var answer = try reader.finish(isEndAnnounced: isEndAnnounced)
            answer.certificateEnd = certificateEnd
            return answer
        }
    }

    // MARK: - Options

    /// Sets every option of the handle, after a reset.
    ///
    /// - Parameter configuration: The limits.
    /// - Throws: `TransportError` if libcurl refuses an option.
    func prepare(_ configuration: CurlTransport.Configuration) throws(TransportError) {
        easy.reset()
        try easy.set(CURLOPT_URL, call.destination.url)
        // Otherwise libcurl changes "/a/../b" to "/b".
        try easy.set(CURLOPT_PATH_AS_IS, true)
        try easy.set(CURLOPT_PROTOCOLS_STR, call.destination.scheme.rawValue)
        try easy.set(CURLOPT_FOLLOWLOCATION, false)
        try easy.set(CURLOPT_HTTP09_ALLOWED, false)
        if !configuration.usesHTTP2 { try easy.set(CURLOPT_HTTP_VERSION, ccurl_http_1_1) }
        // A plain request must not leave this machine through the proxy that the environment names (http_proxy).
        if call.destination.scheme == .http { try easy.set(CURLOPT_PROXY, "") }
        try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        // CURLOPT_PIPEWAIT stays off. With it, calls wait for a handshake in progress in case it brings HTTP/2, so one
        // stalled handshake delays all of them, and libcurl 7.88 then misses the deadlines of some.
        // A new connection, because libcurl may find an unusable HTTP/2 connection again.
        try easy.set(CURLOPT_FRESH_CONNECT, needsAnotherConnection || needsOwnConnection)
        try easy.set(CURLOPT_FORBID_REUSE, needsOwnConnection)
        try setLimits(configuration)
        try setTrust(configuration)
        try setRequest(configuration)
        try setCallbacks()
    }

    private func setLimits(_ configuration: CurlTransport.Configuration) throws(TransportError) {
        let age = start.duration(to: .now)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds)
        try easy.set(CURLOPT_TIMEOUT_MS, (configuration.totalTimeout - age).milliseconds)
        try easy.set(CURLOPT_MAXFILESIZE, configuration.maximumBodyBytes)
        // Signals would interrupt other threads, and the resolver has its own thread, so it needs none for its timeout.
        try easy.set(CURLOPT_NOSIGNAL, true)
        // Otherwise a call that ends while a name server is silent waits for it on the loop's thread.
        try easy.set(CURLOPT_QUICK_EXIT, true)
    }

    private func setTrust(_ configuration: CurlTransport.Configuration) throws(TransportError) {
        // Both values allow the same versions. libcurl lets calls share an HTTP/2 connection only if their TLS options are
        // equal, so with another value no other call joins a connection that belongs to one call.
        try easy.set(CURLOPT_SSLVERSION, needsOwnConnection ? ccurl_tls_1_2_to_1_3 : ccurl_tls_1_2)
        try easy.set(CURLOPT_SSL_VERIFYPEER, true)
        try easy.set(CURLOPT_SSL_VERIFYHOST, 2)
        // Debian's library has a default bundle and a default directory. With the directory set, it reads the bundle again
        // for every connection (28 ms); without it, it caches the bundle for a day.
        try easy.set(CURLOPT_CAPATH, nil)
        if let file = configuration.authorityFile { try easy.set(CURLOPT_CAINFO, file) }
    }

    private func setRequest(_ configuration: CurlTransport.Configuration) throws(TransportError) {
        let request = call.request
        try easy.set(CURLOPT_USERAGENT, configuration.userAgent)
        // Without these lines libcurl adds a content type, and for large bodies a round trip for `100 Continue`.
        var lines = ["Expect:"]
        if request.headers[.contentType] == nil { lines.append("Content-Type:") }
        for field in request.headers.fields {
            // libcurl's syntax for a field with an empty value; with a colon it would omit the field.
            lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        try easy.setHeaderLines(lines)
        switch request.method {
        case .get where request.body.isEmpty: try easy.set(CURLOPT_HTTPGET, true)
        case .head where request.body.isEmpty: try easy.set(CURLOPT_NOBODY, true)
        case .post: try easy.setBody(request.body)
        default:
            try easy.setBody(request.body)
            try easy.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
    }

    /// Connects libcurl's callbacks with this object.
    private func setCallbacks() throws(TransportError) {
        // unsafe because C gets the object as a raw pointer. It is not retained: the loop holds the transfer until it has
        // removed the handle, and libcurl calls no callback after that.
        let pointer = unsafe Unmanaged.passUnretained(self).toOpaque()
        // unsafe because C gets pointers: the handle is valid, and the functions capture nothing.
        try easy.check(unsafe ccurl_set_pointer(easy.raw, CURLOPT_PREREQDATA, pointer))
        try easy.check(unsafe ccurl_set_pointer(easy.raw, CURLOPT_HEADERDATA, pointer))
        try easy.check(unsafe ccurl_set_pointer(easy.raw, CURLOPT_WRITEDATA, pointer))
        let before: curl_prereq_callback = { owner, address, _, _, port in
            unsafe beforeSending(to: address, from: port, of: owner)
        }
        try easy.check(unsafe ccurl_set_prereq_function(easy.raw, before))
        let header: curl_write_callback = { unsafe receiveLine($0, count: $1 * $2, of: $3) }
        try easy.check(unsafe ccurl_set_write_function(easy.raw, CURLOPT_HEADERFUNCTION, header))
        let body: curl_write_callback = { unsafe receiveBody($0, count: $1 * $2, of: $3) }
        try easy.check(unsafe ccurl_set_write_function(easy.raw, CURLOPT_WRITEFUNCTION, body))
        guard needsOwnConnection || mayAnnounceEnd else { return }
        // libcurl reports only in this way why it repeats a request, and how TLS ended.
        try easy.check(unsafe ccurl_set_pointer(easy.raw, CURLOPT_DEBUGDATA, pointer))
        let report: curl_debug_callback = { _, kind, bytes, count, owner in
            unsafe receiveReport(kind, bytes, count: count, of: owner)
        }
        try easy.check(unsafe ccurl_set_debug_function(easy.raw, report))
        try easy.set(CURLOPT_VERBOSE, true)
    }
}

extension Duration {
    /// At least 1, because libcurl takes 0 as no limit.
    fileprivate var milliseconds: Int {
        max(1, Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000))
    }
}

extension Method {
    fileprivate var isIdempotent: Bool { self == .get || self == .head }
}

// MARK: - Callbacks

// libcurl calls these while it works; `false` cancels the transfer.
extension Transfer {
    /// Whether the request may be sent on the connection that libcurl found or made for it.
    ///
    /// libcurl asks again before it repeats a request.
    fileprivate func maySend(to address: String, from port: CInt) -> Bool {
        let isNew = easy.newConnections > newConnections
        newConnections = easy.newConnections
        // A connection that was open before is good for the first attempt only, and only if nothing waits on it.
        if !isNew, !needsOwnConnection, attempts > 0 || !idle.takeOut(port: port) {
            mustRestart = true
            return false
        }
        attempts += 1
        isEndAnnounced = false
        refusal = objection(to: address)
        if refusal == nil { mayHaveSent = true }
        if reportsCertificate { certificateEnd = easy.certificateEnd }
        return refusal == nil
    }

    private func objection(to address: String) -> TransportError? {
        if call.destination.scheme == .http, !Host.isLoopback(address) {
            return TransportError(.refusedURL, detail: "plain http to a host that is not this machine")
        }
        if call.destination.scheme == .https, !easy.isCertified(for: call.destination.host) {
            return .otherHost(than: call.destination.host)
        }
        return attempts > 1 ? objectionToRepeat() : nil
    }

    /// Why a request must not be sent again; nil if it may be.
    private func objectionToRepeat() -> TransportError? {
        let host = call.destination.host
        if isUnprocessed, attempts > 2 { return refusedTwice }
        guard isUnprocessed || !needsOwnConnection, attempts <= 3 else {
            return TransportError(.malformed, detail: "\(host): the connection ended without a response")
        }
        observer(.repeats(host: host, isUnprocessed ? .streamRefused : .connectionEnded))
        isUnprocessed = false
        return nil
    }

    private var refusedTwice: TransportError {
        mayHaveSent = false
        return TransportError(.unreachable, detail: "\(call.destination.host): the server refused the request twice")
    }

    /// Reads a line of libcurl's report on its work.
    ///
    /// GOAWAY with 0 as the last stream means that no stream of the connection was processed (RFC 9113 §6.8). The texts
    /// are those of libcurl 7.88 to 8.14. With other texts no request is repeated, and no body without a length is accepted.
    fileprivate func note(_ line: String) {
        if mayAnnounceEnd, line.contains(" (IN), TLS alert, close notify") { isEndAnnounced = true }
        if line.contains(" (IN), TLS handshake, Request CERT") { isCertificateRequested = true }
        // certificate_required of TLS 1.3, handshake_failure of TLS 1.2, both fatal (RFC 8446 §6, RFC 5246 §7.4.6).
        if isCertificateRequested, line.contains(" (IN), TLS alert"), ["(628)", "(552)"].contains(where: line.contains)
        {
            isCertificateMissed = true
        }
        guard needsOwnConnection else { return }
        if line.hasPrefix("REFUSED_STREAM") || line.contains("GOAWAY") && line.hasSuffix(" last_stream=0") {
            isUnprocessed = true
        }
    }

    fileprivate func receive(line: UnsafeRawBufferPointer) -> Bool {
        // unsafe because the bytes belong to libcurl and are valid during this call: they are copied.
        let line = unsafe [UInt8](line)
        return guarding { reader throws(TransportError) in try reader.read(line: line) }
    }

    fileprivate func receive(body: UnsafeRawBufferPointer) -> Bool {
        // unsafe because the bytes belong to libcurl and are valid during this call: they are copied.
        guarding { reader throws(TransportError) in try unsafe reader.read(body: body) }
    }

    private func guarding(_ body: (inout AnswerReader) throws(TransportError) -> Void) -> Bool {
        do {
            try body(&reader)
            return true
        } catch {
            refusal = error
            return false
        }
    }
}

// unsafe because C calls these functions with raw pointers: `owner` is the transfer that `setCallbacks` passed, and the
// bytes or the string are valid until the function returns.

private func beforeSending(
    to address: UnsafePointer<CChar>?,
    from port: CInt,
    of owner: UnsafeMutableRawPointer?
) -> CInt {
    guard let owner = unsafe owner, let address = unsafe address else { return ccurl_prereq_abort }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
    let maySend = unsafe transfer.maySend(to: String(cString: address), from: port)
    return maySend ? ccurl_prereq_ok : ccurl_prereq_abort
}

/// Takes libcurl's own texts; the other kinds are what is sent and received, with all secrets.
private func receiveReport(
    _ kind: curl_infotype,
    _ bytes: UnsafeMutablePointer<CChar>?,
    count: Int,
    of owner: UnsafeMutableRawPointer?
) -> CInt {
    guard kind == CURLINFO_TEXT, let owner = unsafe owner else { return 0 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
    let line = unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    transfer.note(String(line.prefix { !$0.isNewline }))
    return 0
}

/// Returns the number of bytes taken; any other number ends the transfer.
private func receiveLine(_ bytes: UnsafePointer<CChar>?, count: Int, of owner: UnsafeMutableRawPointer?) -> Int {
    guard let owner = unsafe owner else { return -1 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
    return unsafe transfer.receive(line: UnsafeRawBufferPointer(start: bytes, count: count)) ? count : -1
}

/// Returns the number of bytes taken; any other number ends the transfer.
private func receiveBody(_ bytes: UnsafePointer<CChar>?, count: Int, of owner: UnsafeMutableRawPointer?) -> Int {
    guard let owner = unsafe owner else { return -1 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
    return unsafe transfer.receive(body: UnsafeRawBufferPointer(start: bytes, count: count)) ? count : -1
}
