package import HTTP

/// What an operator may want to know.
///
/// No value comes from a client, except for its address. Events are reported on the thread of a worker, so an observer must not block.
package enum ServerEvent: Sendable, Equatable {
    /// Part of an exchange with a peer.
    package enum Stage: String, Sendable {
        case request
        case answer
    }

    /// Why a request was answered without the handler; the raw value is a reason code for the log.
    package enum Rejection: String, Sendable {
        case parametersTooLarge = "parameters-too-large"
        case parametersMalformed = "malformed-parameters"
        case bodyTooLarge = "body-too-large"
        case noMethod = "no-request-method"
        case invalidMethod = "invalid-request-method"
        case noPath = "no-path"
        case invalidPath = "invalid-path"
    }

    /// A violation of the protocol that web servers do not commit; the connection is closed.
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
    /// A peer violated the protocol; the connection was closed.
    case recordRefused(Refusal)
    /// A peer did not finish its request or did not take its answer in time; the connection was closed.
    case timedOut(Stage)
    /// There was no memory for a request or an answer, or all partially received requests together went over their limit;
    /// the connection was closed.
    case memoryExhausted
    /// A request was answered with 400, 413 or 431; the address of the client is empty where it is not known.
    case rejected(RequestID, Rejection, remoteAddress: String)
    /// The handler threw, and the request was answered with 500; names the type of the error.
    case handlerFailed(RequestID, errorType: String)
    /// The answer's header block was over the limit, and the request was answered with 500.
    case answerHeaderTooLarge(RequestID, size: Int)
    /// No connection can be accepted because a resource ran out (`EMFILE`); the server retries several times a second.
    case acceptBackingOff(errorName: String)
    case acceptResumed
    /// A signal arrived that does not stop the program and has no other effect; the name of the signal.
    case signalIgnored(String)
    /// A thread makes no progress for longer than `ServerOptions.hangLimit`, or no longer; needs a `PulseCheck`.
    case threadHung(Pulse.Threads)
    case threadResumed(Pulse.Threads)
    /// A signal asks for the settings to be read again; the name of the signal. The server continues with those it has
    /// until `Server.replace` is called.
    case reloadRequested(signal: String)
    /// The server accepts no new connections from here on; names the signal if one stopped it.
    case stopping(signal: String?)
    /// The server has stopped; the number of connections that were cut off at the end of the grace time.
    case stopped(abandoned: Int)
}
