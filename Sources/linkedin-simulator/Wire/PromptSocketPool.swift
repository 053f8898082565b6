import FlyingFox
import FlyingSocks
import Glibc

/// Lets no socket hold back what was written to it.
///
/// FlyingFox writes the head of an answer and then its body. On a kept connection the kernel would send the body only
/// when the client has confirmed the head, which clients put off for 40 ms.
struct PromptSocketPool: AsyncSocketPool {
    private let pool: any AsyncSocketPool = HTTPServer.defaultPool()

    func prepare() async throws {
        try await pool.prepare()
    }

    func run() async throws {
        try await pool.run()
    }

    /// The listening socket comes by here first, and those it accepts inherit the option.
    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        try socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
        try await pool.suspendSocket(socket, untilReadyFor: events)
    }
}
