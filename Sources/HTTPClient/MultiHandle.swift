import CCurl
import HTTP

/// libcurl's set of transfers, with the connections they share.
// Safe because the pointer stays in here, but for the alarm, which the mailbox drops first.
@safe final class MultiHandle {
    private let raw: UnsafeMutableRawPointer

    /// Makes an empty set.
    ///
    /// - Parameter maximumIdleConnections: connections kept open between transfers.
    /// - Throws: `TransportError` if libcurl has no memory, or another TLS library than OpenSSL.
    init(maximumIdleConnections: Int) throws(TransportError) {
        // The certificates' names are checked with OpenSSL. To ask again, after the initialisation too, changes nothing.
        guard curl_global_sslset(CURLSSLBACKEND_OPENSSL, nil, nil) == CURLSSLSET_OK else {
            throw TransportError(.unreachable, detail: "libcurl does not use OpenSSL")
        }
        // Initialising twice is harmless, and safe from any thread since 7.84 (libcurl-thread(3)).
        guard curl_global_init(ccurl_global_default) == CURLE_OK,
            // Unsafe because the handle is a C object; it stays in here and `deinit` frees it.
            let raw = unsafe curl_multi_init()
        else { throw TransportError(.unreachable, detail: "libcurl cannot start") }
        unsafe self.raw = raw
        // Unsafe because C gets a pointer: the handle lives as long as `self`.
        _ = unsafe ccurl_multi_set_long(raw, CURLMOPT_PIPELINING, ccurl_multiplex)
        _ = unsafe ccurl_multi_set_long(raw, CURLMOPT_MAXCONNECTS, maximumIdleConnections)
    }

    deinit {
        // Unsafe because it frees a C object; because only the loop holds it, nobody uses it any more.
        unsafe curl_multi_cleanup(raw)
    }

    /// What wakes `wait` from another thread.
    var alarm: Alarm {
        // Unsafe because the pointer is given away; the mailbox drops the alarm before this handle is freed.
        unsafe Alarm(raw)
    }

    /// Takes a prepared transfer in.
    func add(_ easy: EasyHandle) throws(TransportError) {
        // Unsafe because C gets pointers: both objects live, and the loop keeps the transfer until `remove`.
        guard unsafe curl_multi_add_handle(raw, easy.raw) == CURLM_OK else {
            throw TransportError(.unreachable, detail: "libcurl takes no transfer")
        }
    }

    /// Takes a transfer out; one under way is broken off.
    func remove(_ easy: EasyHandle) {
        // Unsafe because C gets pointers: both objects live.
        _ = unsafe curl_multi_remove_handle(raw, easy.raw)
    }

    /// Does what can be done without waiting.
    func perform() -> CURLMcode {
        var running: CInt = 0
        // Unsafe because C gets pointers: the handle lives, and the count is written before the call returns.
        return unsafe curl_multi_perform(raw, &running)
    }

    /// Waits for a socket, a deadline or the alarm.
    func wait(milliseconds: CInt) -> CURLMcode {
        // Unsafe because C gets pointers: the handle lives, and no sockets of ours are passed.
        unsafe curl_multi_poll(raw, nil, 0, milliseconds, nil)
    }

    /// The next transfer that is over, or nil.
    func nextEnded() -> (identity: EasyHandle.Identity, result: CURLcode)? {
        var remaining: CInt = 0
        // Unsafe because the message is libcurl's and valid until the next call; what it says is copied out here, and
        // `result` is the member that counts because CURLMSG_DONE is the only kind there is.
        while let message = unsafe curl_multi_info_read(raw, &remaining) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
                continue
            }
            return unsafe (EasyHandle.Identity(easy), message.pointee.data.result)
        }
        return nil
    }
}

/// What wakes the loop's thread from its wait.
// Safe because the mailbox drops it before the handle is freed; unchecked because curl_multi_wakeup is the one function
// that libcurl allows from any thread at any time.
@safe struct Alarm: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer

    @unsafe init(_ multi: UnsafeMutableRawPointer) {
        unsafe self.multi = multi
    }

    func ring() {
        // Unsafe because C gets a pointer: the mailbox gives the alarm up before the handle is freed.
        _ = unsafe curl_multi_wakeup(multi)
    }
}
