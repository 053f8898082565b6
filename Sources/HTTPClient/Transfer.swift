import CCurl
import HTTP

/// A call under way: libcurl's handle, what has arrived so far, and who waits.
///
/// It lives on the loop's thread alone.
final class Transfer {
    let call: Call
    let easy: EasyHandle
    /// Whether a connection that was found is spent: only a new one will do.
    private(set) var needsAnotherConnection = false
    private let idle: IdleConnections
    private let observer: CurlTransport.Observer
    private let start = ContinuousClock.now
    private var reader: AnswerReader
    /// How often the request was sent, or begun to be.
    private var attempts = 0
    private var newConnections = 0
    private var mayHaveSent = false
    private var isToRestart = false
    /// Whether the server has said, on the connection of the last attempt, that it did not process the request.
    private var isUnprocessed = false
    /// Why we broke the transfer off, which says more than libcurl's code for that.
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
    }

    /// Whether the request must be on a new connection that no other call uses.
    ///
    /// A request that must not be processed twice, such as one with an authorization code (RFC 6749 §4.1.2), may be
    /// repeated only if the server says that it has not processed it (RFC 9113 §8.7). On a kept connection libcurl repeats
    /// a request whenever there is no answer, which proves nothing, and does not report why; on a new one it does.
    var needsOwnConnection: Bool { !call.request.method.isIdempotent }

    /// The same error, with what is known here of whether anything was sent.
    func completed(_ error: TransportError) -> TransportError {
        TransportError(error.code, detail: error.detail, isUnsent: !mayHaveSent)
    }

    /// How long the call has been under way.
    var age: Duration { start.duration(to: .now) }

    /// Tells whether a transfer that has ended is to be started again, on a new connection.
    func takeRestart(after result: CURLcode) -> Bool {
        guard isToRestart || mayRepeat(after: result) else { return false }
        isToRestart = false
        needsAnotherConnection = true
        newConnections = 0
        return true
    }

    /// libcurl does not always repeat a request by itself, for example when a server says goodbye before any answer.
    private func mayRepeat(after result: CURLcode) -> Bool {
        guard attempts > 0, refusal == nil, !reader.hasBegun else { return false }
        if needsOwnConnection { return result != CURLE_OK && isUnprocessed && attempts == 1 }
        return attempts < 3 && [CURLE_HTTP2, CURLE_HTTP2_STREAM].contains(result)
    }

    /// The answer, or why there is none.
    func outcome(_ result: CURLcode) -> Call.Outcome {
        if let refusal { return .failure(refusal) }
        guard result == CURLE_OK else {
            if isUnprocessed, attempts > 1 { return .failure(refusedTwice) }
            return .failure(TransportError(result, of: easy, host: call.destination.host))
        }
        return Result { () throws(TransportError) in try reader.finish() }
    }
}

// What libcurl asks and tells while it works; `false` breaks the transfer off.
extension Transfer {
    /// Tells whether the request may be sent on the connection that was found or made for it.
    ///
    /// libcurl asks again before it repeats a request.
    func maySend(to address: String, from port: CInt) -> Bool {
        let isNew = easy.newConnections > newConnections
        newConnections = easy.newConnections
        if !isNew, !needsOwnConnection, attempts > 0 || !idle.takeOut(port: port) {
            isToRestart = true
            return false
        }
        attempts += 1
        refusal = objection(to: address)
        if refusal == nil { mayHaveSent = true }
        return refusal == nil
    }

    private func objection(to address: String) -> TransportError? {
        if call.destination.scheme == .http, !Destination.isLoopback(address) {
            return TransportError(.refusedURL, detail: "plain http to a host that is not this machine")
        }
        if call.destination.scheme == .https, !easy.isCertified(for: call.destination.host) {
            return .otherHost(than: call.destination.host)
        }
        return attempts > 1 ? objectionToRepeat() : nil
    }

    /// Why a request is not sent again; nil if it may be.
    private func objectionToRepeat() -> TransportError? {
        let host = call.destination.host
        if isUnprocessed, attempts > 2 { return refusedTwice }
        guard isUnprocessed || !needsOwnConnection, attempts <= 3 else {
            return TransportError(.malformed, detail: "\(host): the connection ended without an answer")
        }
        observer(.repeats(host: host, isUnprocessed ? .streamRefused : .connectionEnded))
        isUnprocessed = false
        return nil
    }

    private var refusedTwice: TransportError {
        mayHaveSent = false
        return TransportError(.unreachable, detail: "\(call.destination.host): the server refused the request twice")
    }

    /// Takes a line of what libcurl reports of its work.
    ///
    /// No stream of a connection was processed if the last one that may have been is number 0 (RFC 9113 §6.8). With
    /// other words than these, which are those of libcurl 7.88 to 8.14, no request is repeated.
    func note(_ line: String) {
        if line.hasPrefix("REFUSED_STREAM") || line.contains("GOAWAY") && line.hasSuffix(" last_stream=0") {
            isUnprocessed = true
        }
    }

    func receive(line: UnsafeRawBufferPointer) -> Bool {
        // Unsafe because the bytes are libcurl's and valid during this call: they are copied.
        let line = unsafe [UInt8](line)
        return guarding { reader throws(TransportError) in try reader.read(line: line) }
    }

    func receive(body: UnsafeRawBufferPointer) -> Bool {
        // Unsafe because the bytes are libcurl's and valid during this call: they are copied.
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

extension Method {
    fileprivate var isIdempotent: Bool { self == .get || self == .head }
}
