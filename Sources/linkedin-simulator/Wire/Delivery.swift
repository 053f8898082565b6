/// How an answer goes over the wire.
enum Delivery: Sendable {
    /// All of it, with its true length.
    case whole
    /// All of it in chunks, without a length.
    case chunked
    /// One byte, a pause, one byte.
    case dripped(Duration)
    /// A length that is too large by some bytes, then the end of the connection.
    case overstated(by: Int)
    /// Chunks without the last one, then the end of the connection.
    case unfinishedChunks
    /// Nothing, until the client goes away.
    case never
    /// Nothing, and the end of the connection.
    case dropped
}
