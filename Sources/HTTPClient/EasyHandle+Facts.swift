import CCurl

// What libcurl knows of a transfer.
extension EasyHandle {
    /// How many connections libcurl has made for this transfer so far.
    var newConnections: Int { fact(CURLINFO_NUM_CONNECTS) ?? 0 }

    /// Whether a proxy said no.
    var isRefusedByProxy: Bool { (fact(CURLINFO_HTTP_CONNECTCODE) ?? 0) >= 300 }

    /// Why OpenSSL rejected the server's certificate; nil if it did not.
    var certificateFault: CertificateFault? { fact(CURLINFO_SSL_VERIFYRESULT).flatMap(CertificateFault.init) }

    /// Why OpenSSL rejected the certificate of an https proxy; nil if it did not.
    var proxyCertificateFault: CertificateFault? {
        fact(CURLINFO_PROXY_SSL_VERIFYRESULT).flatMap(CertificateFault.init)
    }

    /// The connection of an ended transfer, if it is kept and nobody else uses it.
    var idleConnection: (socket: CInt, port: CInt)? {
        var socket: curl_socket_t = -1
        // Unsafe because C gets pointers: the handle lives, and the number is written before the call returns.
        guard unsafe ccurl_get_socket(raw, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK, socket >= 0,
            let port = fact(CURLINFO_LOCAL_PORT)
        else { return nil }
        return (socket, CInt(port))
    }

    /// Whether the server's certificate has a host among its alternative names; only while a callback runs.
    func isCertified(for host: String) -> Bool {
        // Unsafe because C gets pointers: the handle lives, and its certificate as long as the callback.
        unsafe ccurl_is_certified(raw, host)
    }

    private func fact(_ info: CURLINFO) -> Int? {
        var value = 0
        // Unsafe because C gets pointers: the handle lives, and the number is written before the call returns.
        guard unsafe ccurl_get_long(raw, info, &value) == CURLE_OK else { return nil }
        return value
    }
}
