package import HTTP

/// What the operator may want to know; nothing in it comes from a client.
///
/// Events are told on a worker's own thread: whoever takes them must not wait for anything.
package enum ServerEvent: Sendable, Equatable {
    /// Part of an exchange with a peer.
    package enum Stage: String, Sendable {
        case request
        case answer
    }

    /// Why a request was answered without asking the handler; the raw value is a reason code for the log.
    package enum Rejection: String, Sendable {
        case parametersTooLarge = "parameters-too-large"
        case parametersMalformed = "malformed-parameters"
        case bodyTooLarge = "body-too-large"
        case noMethod = "no-request-method"
        case invalidMethod = "invalid-request-method"
        case noPath = "no-path"
        case invalidPath = "invalid-path"
    }

    /// What no web server sends; the connection cannot be used any more.
    package enum Refusal: String, Sendable {
        case version = "unknown protocol version"
        case sequence = "record out of sequence"
        case request = "record of another request"
        case begin = "malformed begin record"
        case padding = "padding where none is expected"
        case early = "request before the last one was answered"
        case oversized = "request of too many records"
        case aborted = "request aborted"
    }

    /// A process of a user that is not allowed here connected.
    case peerRefused(user: UInt32)
    /// A peer sent what no web server sends; the connection was closed.
    case recordRefused(Refusal)
    /// A peer neither finished its request nor took its answer in time; the connection was closed.
    case timedOut(Stage)
    /// All unfinished requests together went over their bound; the connection was closed.
    case memoryExhausted
    /// A request was answered with 400, 413 or 431; the address of its client is empty where it is not known.
    case rejected(RequestID, Rejection, remoteAddress: String)
    /// The handler threw, and the request was answered with 500; names the type of the error.
    case handlerFailed(RequestID, errorType: String)
    /// The answer's header block was over the limit, and the request was answered with 500.
    case answerHeaderTooLarge(RequestID, size: Int)
    /// No connection can be accepted for want of a resource (`EMFILE`); it is tried again several times a second.
    case acceptBackingOff(errorName: String)
    case acceptResumed
    /// A signal arrived that does not stop the program and has no other effect; the name of the signal.
    case signalIgnored(String)
    /// No new connection is taken from here on; names the signal if one asked for it.
    case stopping(signal: String?)
    /// The server has stopped; so many connections were cut off at the end of the grace time.
    case stopped(abandoned: Int)
}
