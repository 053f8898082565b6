import CCurl
import HTTP

/// One of libcurl's transfers: its options and, from one use to the next, its TLS sessions.
///
/// @safe because every user of the pointer holds this object, and only `deinit` frees the memory behind it.
@safe final class EasyHandle {
    /// Distinguishes handles.
    struct Identity: Hashable {
        private let address: UInt

        init(_ raw: UnsafeMutableRawPointer) {
            address = UInt(bitPattern: raw)
        }
    }

    let raw: UnsafeMutableRawPointer
    private var headerList: UnsafeMutablePointer<curl_slist>?

    /// Makes a handle; nil if there is no memory.
    init?() {
        // unsafe because the handle is a C object; `deinit` frees it, and only `MultiHandle` borrows it.
        guard let raw = unsafe curl_easy_init() else { return nil }
        unsafe self.raw = raw
    }

    deinit {
        // unsafe because it frees C objects; libcurl does not use them any more, because the loop has removed the handle.
        unsafe curl_easy_cleanup(raw)
        unsafe curl_slist_free_all(headerList)
    }

    // unsafe because it reads a pointer, of which it keeps only the number.
    var identity: Identity { unsafe Identity(raw) }

    /// Resets every option, so that nothing of one request affects the next.
    func reset() {
        // unsafe because C gets pointers: the handle is valid, and no longer refers to its list when that is freed.
        unsafe curl_easy_reset(raw)
        unsafe curl_slist_free_all(headerList)
        unsafe headerList = nil
    }
}

// MARK: - Options

// If libcurl refuses an option, the call fails, because each option ensures a property that callers rely on.
extension EasyHandle {
    func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
        // unsafe because C gets a pointer: the handle is valid.
        try check(unsafe ccurl_set_long(raw, option, value))
    }

    func set(_ option: CURLoption, _ value: Bool) throws(TransportError) {
        try set(option, value ? 1 : 0)
    }

    /// Sets a text; nil removes the library's default.
    func set(_ option: CURLoption, _ value: String?) throws(TransportError) {
        guard let value else {
            // unsafe because C gets a pointer: the handle is valid.
            return try check(unsafe ccurl_set_string(raw, option, nil))
        }
        // unsafe because the text becomes a C string: libcurl copies it before the call returns.
        try check(unsafe ccurl_set_string(raw, option, value))
    }

    /// Copies a body and makes the request a POST.
    func setBody(_ body: [UInt8]) throws(TransportError) {
        try set(CURLOPT_POST, true)
        try set(CURLOPT_POSTFIELDSIZE, body.count)
        // unsafe because C gets pointers: the size is set, and libcurl copies the bytes before the call returns.
        try check(unsafe ccurl_set_pointer(raw, CURLOPT_COPYPOSTFIELDS, body))
    }

    /// Sets the lines of the header.
    func setHeaderLines(_ lines: [String]) throws(TransportError) {
        for line in lines {
            // unsafe because C gets pointers: the string is copied, and `reset` or `deinit` frees the list.
            guard let longer = unsafe curl_slist_append(headerList, line) else {
                throw TransportError(.unreachable, detail: "out of memory")
            }
            unsafe headerList = longer
        }
        // unsafe because libcurl keeps this pointer: the list is valid until `reset` has removed it from the handle.
        try check(unsafe ccurl_set_pointer(raw, CURLOPT_HTTPHEADER, headerList))
    }

    func check(_ code: CURLcode) throws(TransportError) {
        guard code == CURLE_OK else {
            throw TransportError(.unreachable, detail: "libcurl refuses an option: \(code.text)")
        }
    }
}

// MARK: - Information

extension EasyHandle {
    /// The number of connections that libcurl has made for this transfer so far.
    var newConnections: Int { information(CURLINFO_NUM_CONNECTS) ?? 0 }

    /// Whether a proxy refused the connection.
    var isRefusedByProxy: Bool { (information(CURLINFO_HTTP_CONNECTCODE) ?? 0) >= 300 }

    /// Whether libcurl found the address of the server or of the proxy; its time is then at least a microsecond.
    var hasResolvedName: Bool { (information(CURLINFO_NAMELOOKUP_TIME_T) ?? 0) > 0 }

    /// Why OpenSSL rejected the server's certificate; nil if it did not.
    var certificateFault: CertificateFault? {
        information(CURLINFO_SSL_VERIFYRESULT).flatMap(CertificateFault.init)
    }

    /// Why OpenSSL rejected the certificate of an https proxy; nil if it did not.
    var proxyCertificateFault: CertificateFault? {
        information(CURLINFO_PROXY_SSL_VERIFYRESULT).flatMap(CertificateFault.init)
    }

    /// The connection of an ended transfer, if it is open and no other transfer uses it.
    var idleConnection: (socket: CInt, port: CInt)? {
        var socket: curl_socket_t = -1
        // unsafe because C gets pointers: the handle is valid, and the number is written before the call returns.
        guard unsafe ccurl_get_socket(raw, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK, socket >= 0,
            let port = information(CURLINFO_LOCAL_PORT)
        else { return nil }
        return (socket, CInt(port))
    }

    /// Whether the server's certificate has a host among its alternative names; valid only during a callback.
    func isCertified(for host: String) -> Bool {
        // unsafe because C gets pointers: the handle is valid, and its certificate during the callback.
        unsafe ccurl_is_certified(raw, host)
    }

    /// The end of the server's certificate in seconds since 1970; nil if it is not known.
    ///
    /// Valid only during a callback.
    var certificateEnd: Int? {
        // unsafe because C gets pointers: the handle is valid, and its certificate during the callback.
        let end = unsafe ccurl_certificate_end(raw)
        return end < 0 ? nil : Int(end)
    }

    private func information(_ info: CURLINFO) -> Int? {
        var value = 0
        // unsafe because C gets pointers: the handle is valid, and the number is written before the call returns.
        guard unsafe ccurl_get_long(raw, info, &value) == CURLE_OK else { return nil }
        return value
    }
}
