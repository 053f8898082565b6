import FlyingFox

/// Ends a connection without a byte of an answer.
///
/// The server writes the header of an ordinary answer before it looks at the body. Of an upgrade it asks for the frames
/// first, so an upgrade that throws at this point is the way to say nothing at all.
struct Unanswered: WSHandler {
    struct Ended: Error {}

    /// Whether the connection stays open until the client closes its end.
    let waitsForClient: Bool

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        if waitsForClient {
            for try await _ in client {}
        }
        throw Ended()
    }
}
