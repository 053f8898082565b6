import CCurl
import HTTP

/// libcurl's set of transfers, with the connections they share.
///
/// @safe because the pointer does not leave this type, except for the alarm, which the mailbox drops before.
@safe final class MultiHandle {
    private let raw: UnsafeMutableRawPointer

    /// Makes an empty set.
    ///
    /// - Parameter maximumIdleConnections: Connections kept open between transfers.
    /// - Throws: `TransportError` if libcurl has no memory, or uses another TLS library than OpenSSL.
    init(maximumIdleConnections: Int) throws(TransportError) {
        // The names of certificates are checked with OpenSSL. A repeated call changes nothing.
        guard curl_global_sslset(CURLSSLBACKEND_OPENSSL, nil, nil) == CURLSSLSET_OK else {
            throw TransportError(.unreachable, detail: "libcurl does not use OpenSSL")
        }
        // A repeated call is harmless, and safe from any thread since 7.84 (libcurl-thread(3)).
        guard curl_global_init(ccurl_global_default) == CURLE_OK,
            // unsafe because the handle is a C object; it does not leave this type, and `deinit` frees it.
            let raw = unsafe curl_multi_init()
        else { throw TransportError(.unreachable, detail: "libcurl cannot start") }
        unsafe self.raw = raw
        // unsafe because C gets a pointer: the handle is valid as long as `self`.
        _ = unsafe ccurl_multi_set_long(raw, CURLMOPT_PIPELINING, ccurl_multiplex)
        _ = unsafe ccurl_multi_set_long(raw, CURLMOPT_MAXCONNECTS, maximumIdleConnections)
    }

    deinit {
        // unsafe because it frees a C object; only the loop used it.
        unsafe curl_multi_cleanup(raw)
    }

    /// Wakes `wait` from another thread.
    var alarm: Alarm {
        // unsafe because the pointer leaves this type; the mailbox drops the alarm before this handle is freed.
        unsafe Alarm(raw)
    }

    /// Adds a prepared transfer.
    func add(_ easy: EasyHandle) throws(TransportError) {
        // unsafe because C gets pointers: both objects are valid, and the loop keeps the transfer until `remove`.
        guard unsafe curl_multi_add_handle(raw, easy.raw) == CURLM_OK else {
            throw TransportError(.unreachable, detail: "libcurl does not accept the transfer")
        }
    }

    /// Removes a transfer; one in progress is cancelled.
    func remove(_ easy: EasyHandle) {
        // unsafe because C gets pointers: both objects are valid.
        _ = unsafe curl_multi_remove_handle(raw, easy.raw)
    }

    /// Does all work that is possible without waiting.
    func perform() -> CURLMcode {
        var running: CInt = 0
        // unsafe because C gets pointers: the handle is valid, and the count is written before the call returns.
        return unsafe curl_multi_perform(raw, &running)
    }

    /// Waits for a socket, a deadline or the alarm.
    func wait(milliseconds: CInt) -> CURLMcode {
        // unsafe because C gets pointers: the handle is valid, and the list of additional sockets is empty.
        unsafe curl_multi_poll(raw, nil, 0, milliseconds, nil)
    }

    /// The next transfer that has ended, or nil.
    func nextEnded() -> (identity: EasyHandle.Identity, result: CURLcode)? {
        var remaining: CInt = 0
        // unsafe because the message belongs to libcurl and is valid until the next call; its values are copied here.
        // `result` is the valid member of the union for CURLMSG_DONE.
        while let message = unsafe curl_multi_info_read(raw, &remaining) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
                continue
            }
            return unsafe (EasyHandle.Identity(easy), message.pointee.data.result)
        }
        return nil
    }
}

/// Wakes the loop's thread from its wait.
///
/// @safe because the mailbox drops it before the handle is freed. @unchecked Sendable because libcurl allows
/// curl_multi_wakeup from any thread at any time.
@safe struct Alarm: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer

    @unsafe init(_ multi: UnsafeMutableRawPointer) {
        unsafe self.multi = multi
    }

    func ring() {
        // unsafe because C gets a pointer: the mailbox drops the alarm before the handle is freed.
        _ = unsafe curl_multi_wakeup(multi)
    }
}
