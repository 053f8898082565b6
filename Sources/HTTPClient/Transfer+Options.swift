import CCurl
import HTTP

extension Transfer {
    /// Sets every option of the handle, from nothing.
    ///
    /// - Parameter configuration: the bounds.
    /// - Throws: `TransportError` if libcurl refuses an option.
    func prepare(_ configuration: CurlTransport.Configuration) throws(TransportError) {
        easy.reset()
        try easy.set(CURLOPT_URL, call.destination.url)
        // libcurl would take the dots out of "/a/../b", and the path is to arrive as it was given.
        try easy.set(CURLOPT_PATH_AS_IS, true)
        try easy.set(CURLOPT_PROTOCOLS_STR, call.destination.scheme.rawValue)
        try easy.set(CURLOPT_FOLLOWLOCATION, false)
        try easy.set(CURLOPT_HTTP09_ALLOWED, false)
        // With the address of the proxy in HTTP_PROXY a request would leave this machine. libcurl heeds only
        // http_proxy, because a CGI server makes HTTP_PROXY of a visitor's `Proxy` header; here it heeds neither.
        if call.destination.scheme == .http { try easy.set(CURLOPT_PROXY, "") }
        try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        // CURLOPT_PIPEWAIT stays off: with it, calls wait for a handshake under way in the hope of HTTP/2, one stalled
        // handshake holds up all of them, and libcurl 7.88 then forgets the deadlines of some.
        // A new one, because a spent HTTP/2 connection may still be there and be found again.
        try easy.set(CURLOPT_FRESH_CONNECT, needsAnotherConnection || needsOwnConnection)
        try easy.set(CURLOPT_FORBID_REUSE, needsOwnConnection)
        try setBounds(configuration)
        try setTrust(configuration)
        try setRequest(configuration)
        try setCallbacks()
    }

    private func setBounds(_ configuration: CurlTransport.Configuration) throws(TransportError) {
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds)
        try easy.set(CURLOPT_TIMEOUT_MS, (configuration.totalTimeout - age).milliseconds)
        try easy.set(CURLOPT_MAXFILESIZE, configuration.maximumBodyBytes)
        // Signals would interrupt other threads, and the resolver has a thread of its own to be timed.
        try easy.set(CURLOPT_NOSIGNAL, true)
        // Without this, a call that ends while a name server is silent waits for it on the loop's thread.
        try easy.set(CURLOPT_QUICK_EXIT, true)
    }

    private func setTrust(_ configuration: CurlTransport.Configuration) throws(TransportError) {
        // Both allow the same versions. libcurl lets calls share an HTTP/2 connection only if their TLS options are the
        // same, so that no other call joins a connection that is to be a call's own.
        try easy.set(CURLOPT_SSLVERSION, needsOwnConnection ? ccurl_tls_1_2_to_1_3 : ccurl_tls_1_2)
        try easy.set(CURLOPT_SSL_VERIFYPEER, true)
        try easy.set(CURLOPT_SSL_VERIFYHOST, 2)
        // Debian's library names a bundle and a directory. With the directory set, it reads the bundle again for every
        // connection (28 ms); without, it keeps what it has read for a day.
        try easy.set(CURLOPT_CAPATH, nil)
        if let file = configuration.authorityFile { try easy.set(CURLOPT_CAINFO, file) }
    }

    private func setRequest(_ configuration: CurlTransport.Configuration) throws(TransportError) {
        let request = call.request
        try easy.set(CURLOPT_USERAGENT, configuration.userAgent)
        // libcurl's own additions: a type nobody stated, and for large bodies a round trip to ask for leave.
        var lines = ["Expect:"]
        if request.headers[.contentType] == nil { lines.append("Content-Type:") }
        for field in request.headers.fields {
            // libcurl's spelling of a field with an empty value; with a colon it would drop the field.
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
}

extension Duration {
    /// Rounded up, because 0 would mean no bound at all.
    fileprivate var milliseconds: Int {
        max(1, Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000))
    }
}
