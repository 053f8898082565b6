import CCurl
import HTTP

/// One of libcurl's transfers: its options and, kept from one use to the next, its TLS sessions.
// Safe because whoever uses the handle holds this object, and `deinit` alone frees what it points to.
@safe final class EasyHandle {
    /// What tells one handle from another.
    struct Identity: Hashable {
        private let address: UInt

        init(_ raw: UnsafeMutableRawPointer) {
            address = UInt(bitPattern: raw)
        }
    }

    let raw: UnsafeMutableRawPointer
    private var headerList: UnsafeMutablePointer<curl_slist>?

    /// Makes a handle, or fails for want of memory.
    init?() {
        // Unsafe because the handle is a C object; `deinit` frees it, and only `MultiHandle` borrows it.
        guard let raw = unsafe curl_easy_init() else { return nil }
        unsafe self.raw = raw
    }

    deinit {
        // Unsafe because it frees C objects; because the loop has removed the handle, libcurl uses them no more.
        unsafe curl_easy_cleanup(raw)
        unsafe curl_slist_free_all(headerList)
    }

    // Unsafe because it reads a pointer, of which it keeps only the number.
    var identity: Identity { unsafe Identity(raw) }

    /// Forgets every option, so that nothing of one request is left for the next.
    func reset() {
        // Unsafe because C gets pointers: the handle lives, and knows its list no more when that is freed.
        unsafe curl_easy_reset(raw)
        unsafe curl_slist_free_all(headerList)
        unsafe headerList = nil
    }
}

// Options. One that libcurl refuses ends the call: each of them is a promise.
extension EasyHandle {
    func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
        // Unsafe because C gets a pointer: the handle lives.
        try check(unsafe ccurl_set_long(raw, option, value))
    }

    func set(_ option: CURLoption, _ value: Bool) throws(TransportError) {
        try set(option, value ? 1 : 0)
    }

    /// Sets a text, or with nil takes the default of the library away.
    func set(_ option: CURLoption, _ value: String?) throws(TransportError) {
        guard let value else {
            // Unsafe because C gets a pointer: the handle lives.
            return try check(unsafe ccurl_set_string(raw, option, nil))
        }
        // Unsafe because a string goes to C: libcurl copies it before the call returns.
        try check(unsafe ccurl_set_string(raw, option, value))
    }

    /// Copies a body in and makes the request a POST.
    func setBody(_ body: [UInt8]) throws(TransportError) {
        try set(CURLOPT_POST, true)
        try set(CURLOPT_POSTFIELDSIZE, body.count)
        // Unsafe because C gets pointers: the size is set before, and libcurl copies the bytes before the call returns.
        try check(unsafe ccurl_set_pointer(raw, CURLOPT_COPYPOSTFIELDS, body))
    }

    /// Sets the lines of the header.
    func setHeaderLines(_ lines: [String]) throws(TransportError) {
        for line in lines {
            // Unsafe because C gets pointers: the string is copied, and the list is freed by `reset` or `deinit`.
            guard let longer = unsafe curl_slist_append(headerList, line) else {
                throw TransportError(.unreachable, detail: "out of memory")
            }
            unsafe headerList = longer
        }
        // Unsafe because libcurl keeps this pointer: the list lives until `reset` has cleared it there.
        try check(unsafe ccurl_set_pointer(raw, CURLOPT_HTTPHEADER, headerList))
    }

    func check(_ code: CURLcode) throws(TransportError) {
        guard code == CURLE_OK else {
            throw TransportError(.unreachable, detail: "libcurl refuses an option: \(code.sentence)")
        }
    }
}
