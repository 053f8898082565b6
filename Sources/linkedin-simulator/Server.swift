import FlyingFox
import FlyingSocks

/// The listener on 127.0.0.1.
struct Server: Sendable {
    private let listener: HTTPServer
    private let simulator: Simulator

    /// Prepares a listener.
    ///
    /// - Parameters:
    ///   - port: The port, 0 for any.
    ///   - simulator: Answers the requests.
    /// - Throws: Never in practice; the address is well-formed.
    init(port: UInt16, simulator: Simulator) throws {
        self.simulator = simulator
        // Every request leaves a timer of this length behind, so it is no longer than the longest delay needs.
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
    /// - Returns: The base URL.
    /// - Throws: When it does not open.
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
