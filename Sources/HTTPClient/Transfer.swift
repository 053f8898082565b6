import CCurl
import HTTP

/// A call under way: libcurl's handle, what has arrived so far, and who waits.
///
/// It lives on the loop's thread alone.
final class Transfer {
    let call: Call
    let easy: EasyHandle
    /// Whether the connection that was found is spent: nothing was sent, and another one will do.
    private(set) var needsAnotherConnection = false
    private let idle: IdleConnections
    private let start = ContinuousClock.now
    private var reader: AnswerReader
    private var attempts = 0
    private var mayHaveSent = false
    /// Why we broke the transfer off, which says more than libcurl's code for that.
    private var refusal: TransportError?

    init(
        _ call: Call,
        on easy: EasyHandle,
        idle: IdleConnections,
        _ configuration: CurlTransport.Configuration
    ) {
        self.call = call
        self.easy = easy
        self.idle = idle
        reader = AnswerReader(configuration)
    }

    /// The same error, with what is known here of whether anything was sent.
    func completed(_ error: TransportError) -> TransportError {
        TransportError(error.code, detail: error.detail, isUnsent: !mayHaveSent)
    }

    /// How long the call has been under way.
    var age: Duration { start.duration(to: .now) }

    /// The answer, or why there is none.
    func outcome(_ result: CURLcode) -> Call.Outcome {
        if let refusal { return .failure(refusal) }
        guard result == CURLE_OK else { return .failure(TransportError(result, of: easy)) }
        return Result { () throws(TransportError) in try reader.finish() }
    }
}

// What libcurl asks and tells while it works; `false` breaks the transfer off.
extension Transfer {
    /// Tells whether the request may be sent on the connection that was found or made for it.
    ///
    /// libcurl sends a request again by itself if a kept connection ends without an answer. The server may have acted
    /// on it, and an authorization code must not be presented twice (RFC 6749 §4.1.2), so only GET and HEAD may be
    /// sent again.
    func maySend(to address: String, from port: CInt) -> Bool {
        needsAnotherConnection = easy.isOnKeptConnection && !idle.takeOut(port: port)
        if needsAnotherConnection { return false }
        attempts += 1
        if attempts > 1, !call.request.method.isIdempotent {
            refusal = TransportError(.malformed, detail: "the connection ended without an answer")
        } else if call.destination.scheme == .http, !Destination.isLoopback(address) {
            refusal = TransportError(.refusedURL, detail: "plain http to a host that is not this machine")
        } else if call.destination.scheme == .https, !easy.isCertified(for: call.destination.host) {
            refusal = TransportError(.untrusted, detail: "no alternative name of the certificate is the host")
        }
        if refusal == nil { mayHaveSent = true }
        return refusal == nil
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
