import Glibc

/// The bounds of a server; every one has a default that suits nginx and lighttpd as they come.
package struct Configuration: Sendable {
    /// Threads that run handlers.
    ///
    /// A handler that waits gives its thread back, so that the number of cores is enough; at least two, so that one
    /// long computation does not stop everything.
    package var workers = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    /// Bytes of all parameters of a request together; a larger request is answered with 431.
    package var parameterLimit = 256 << 10
    /// Bytes of a request's body; a larger one is answered with 413.
    package var bodyLimit = 1 << 20
    /// Bytes of a request over its limits that are read and thrown away, so that the peer can read the answer.
    package var discardLimit = 64 << 20
    /// Bytes of all requests together that have not arrived whole.
    package var unfinishedLimit = 64 << 20
    /// Bytes of an answer's header block; nginx takes one memory page and answers 502 beyond it.
    package var answerHeaderLimit = 3_584
    /// The same for an answer whose header is another program's; a server needs a buffer of 32 KiB for it.
    package var foreignHeaderLimit = 32_000
    /// Whether the handler is asked about a request whose body is over the limit, which it is then told and not given.
    package var asksWithoutBody = false
    /// From accepting a connection, or from the first byte of a later request, to the last byte of the request.
    package var requestTimeout = Duration.seconds(10)
    /// How long a peer may leave an answer untaken.
    package var answerTimeout = Duration.seconds(30)
    /// How long a kept connection may be silent; longer than nginx keeps one (60 s), so that nginx closes first.
    package var idleTimeout = Duration.seconds(75)
    /// How long stopping may take, whatever is stuck.
    package var grace = Duration.seconds(10)
    /// Which processes may connect to a Unix socket.
    package var peers = PeerPolicy.any

    package init() {}
}
