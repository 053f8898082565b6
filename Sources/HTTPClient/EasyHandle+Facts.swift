import CCurl

// What libcurl knows of a transfer.
extension EasyHandle {
    /// Whether the connection was there before this transfer, or another one made it.
    var isOnKeptConnection: Bool { fact(CURLINFO_NUM_CONNECTS) == 0 }

    /// Whether a proxy said no.
    var isRefusedByProxy: Bool { (fact(CURLINFO_HTTP_CONNECTCODE) ?? 0) >= 300 }

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
