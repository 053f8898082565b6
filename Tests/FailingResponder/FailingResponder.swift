import FastCGI
import HTTP

/// A server whose handler fails as the URI says, in both roles; guarded files must stay inaccessible.
@main final class FailingResponder: Responder {
    private struct Failure: Error {}

    static func main() throws {
        let signals = try StopSignals()
        let listener = try Listener.unix(path: CommandLine.arguments[1])
        try Server(listeners: [listener], responder: FailingResponder()).run(until: signals)
    }

    func respondAtOnce(to request: Request, or later: any LaterAnswer) -> ImmediateAnswer { .needsTask }

    func route(of request: Request) -> Int { 0 }

    func respond(to request: Request) async throws -> Response {
        switch request.uri.isEmpty ? request.path : request.uri {
        case "/allowed.txt": return Response(.ok)
        case "/at-once.txt": throw Failure()
        case "/after-waiting.txt":
            await Task.yield()
            throw Failure()
        case "/while-answering.txt":
            var response = Response(.ok)
            try response.headers.append(.location, "/\r\nStatus: 200 OK")
            return response
        case "/cancelled.txt":
            throw CancellationError()
        case "/header-too-long.txt":
            var response = Response(.ok)
            try response.headers.append(.location, "/" + String(repeating: "a", count: 5_000))
            return response
        default:
            return Response(.forbidden)
        }
    }
}
