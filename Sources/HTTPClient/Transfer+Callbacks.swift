import CCurl
import HTTP

extension Transfer {
    /// Connects libcurl's callbacks with this object, which outlives the transfer because the loop holds it.
    func setCallbacks() throws(TransportError) {
        // Unsafe because an object goes to C as a bare pointer. It is not retained: the loop holds the transfer until
        // it has taken the handle out, and no callback comes after that.
        let pointer = unsafe Unmanaged.passUnretained(self).toOpaque()
        // Unsafe because C gets pointers: the handle lives, and the functions capture nothing.
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
        guard needsOwnConnection else { return }
        // Only so does libcurl report why it repeats a request.
        try easy.check(unsafe ccurl_set_pointer(easy.raw, CURLOPT_DEBUGDATA, pointer))
        let report: curl_debug_callback = { _, kind, bytes, count, owner in
            unsafe receiveReport(kind, bytes, count: count, of: owner)
        }
        try easy.check(unsafe ccurl_set_debug_function(easy.raw, report))
        try easy.set(CURLOPT_VERBOSE, true)
    }
}

// Unsafe, all of them, because C calls them with bare pointers: `owner` is the transfer given to libcurl above, and the
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

/// Takes libcurl's own words; the others kinds are what is sent and received, with all secrets.
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

/// Returns the count of bytes taken; any other number ends the transfer.
private func receiveLine(_ bytes: UnsafePointer<CChar>?, count: Int, of owner: UnsafeMutableRawPointer?) -> Int {
    guard let owner = unsafe owner else { return -1 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
    return unsafe transfer.receive(line: UnsafeRawBufferPointer(start: bytes, count: count)) ? count : -1
}

/// Returns the count of bytes taken; any other number ends the transfer.
private func receiveBody(_ bytes: UnsafePointer<CChar>?, count: Int, of owner: UnsafeMutableRawPointer?) -> Int {
    guard let owner = unsafe owner else { return -1 }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
    return unsafe transfer.receive(body: UnsafeRawBufferPointer(start: bytes, count: count)) ? count : -1
}
