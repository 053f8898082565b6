import FlyingFox
import FlyingSocks
import Glibc

/// The listener on 127.0.0.1.
struct Server: Sendable {
    private let listener: HTTPServer
    private let simulator: Simulator

    /// Prepares a listener.
    ///
    /// - Parameters:
    ///   - port: the port; 0 for any.
    ///   - simulator: answers the requests.
    /// - Throws: if the address is malformed, which it never is.
    init(port: UInt16, simulator: Simulator) throws {
        self.simulator = simulator
        // Every request leaves a timer of this length behind, so it is only as long as the longest delay requires.
        listener = HTTPServer(
            address: try .inet(ip4: "127.0.0.1", port: port),
            timeout: 60,
            pool: PromptSocketPool(),
            logger: .disabled,
            handler: ClosureHTTPHandler { request in
                let answer = await simulator.answer(try await Request(request))
                return HTTPResponse(answer, toHead: request.method == .HEAD)
            }
        )
    }

    /// Serves until the task is cancelled.
    func run() async throws {
        try await listener.run()
    }

    /// Waits until the listener is open.
    ///
    /// - Returns: the base URL.
    /// - Throws: if the listener cannot be opened.
    func start() async throws -> String {
        try await listener.waitUntilListening()
        guard case .ip4(let address, let port) = await listener.listeningAddress else {
            throw SocketError.unsupportedAddress
        }
        let base = "http://\(address):\(port)"
        await simulator.settings.update { $0.base = base }
        return base
    }
}

extension Request {
    fileprivate init(_ request: HTTPRequest) async throws {
        self.init(
            method: request.method.rawValue,
            path: Percent.decode(request.target.path()),
            query: Fields(urlEncoded: request.target.query()),
            headers: Dictionary(request.headers.map { ($0.key.rawValue.lowercased(), $0.value) }) { $0 + ", " + $1 },
            body: Array(try await request.bodyData)
        )
    }
}

/// Sends written bytes without delay (TCP_NODELAY).
///
/// FlyingFox writes the head of an answer and then its body. On a kept connection the kernel would send the body only
/// after the client has acknowledged the head, and clients delay that for 40 ms.
struct PromptSocketPool: AsyncSocketPool {
    private let pool: any AsyncSocketPool = HTTPServer.defaultPool()

    func prepare() async throws {
        try await pool.prepare()
    }

    func run() async throws {
        try await pool.run()
    }

    /// The first socket here is the listening socket; accepted sockets inherit its option.
    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        try socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
        try await pool.suspendSocket(socket, untilReadyFor: events)
    }
}
