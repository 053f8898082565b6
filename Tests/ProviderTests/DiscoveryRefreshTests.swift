import HTTP
import OpenID
import Provider
import Synchronization
import Testing

/// A server with one response after the other; then the last one again.
private final class Documents: Transport {
    private let rest: Mutex<[Result<String, TransportError>]>

    init(_ answers: [Result<String, TransportError>]) { rest = Mutex(answers) }

    func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
        let body = try rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.get()
        var headers = Headers()
        try? headers.append(.contentType, "application/json")
        return ClientResponse(status: 200, headers: headers, body: Array(body.utf8))
    }
}

struct DiscoveryRefreshTests {
    private static let issuer = "https://sso.example"

    private static func document(_ path: String) -> Result<String, TransportError> {
        .success(
            #"{"issuer":"\#(issuer)","authorization_endpoint":"\#(issuer)/\#(path)","token_endpoint":"\#(issuer)/token","#
                + #""jwks_uri":"\#(issuer)/keys"}"#
        )
    }

    /// What a refresh finds: the path of the authorization endpoint, or the failure.
    private func events(_ answers: [Result<String, TransportError>], count: Int) async -> [String] {
        let (events, found) = AsyncStream.makeStream(of: String.self)
        let refresh = DiscoveryRefresh(
            issuer: Self.issuer,
            address: Self.issuer + "/document",
            transport: Documents(answers),
            interval: .milliseconds(1),
            firstPause: .milliseconds(1)
        )
        let task = Task {
            await refresh.run { document, _ throws(OpenIDError) in
                found.yield(String(document.endpoints.authorization.dropFirst(Self.issuer.count)))
            } failed: { error in
                found.yield(error.code.rawValue)
            }
        }
        defer { task.cancel() }
        var all: [String] = []
        for await event in events.prefix(count) { all.append(event) }
        return all
    }

    @Test func `a document is fetched again after the interval, without a reload`() async {
        #expect(await events([Self.document("first"), Self.document("second")], count: 2) == ["/first", "/second"])
    }

    @Test func `after a failure the document is requested again, and equal failures are reported once`() async {
        let (down, late) = (TransportError(.unreachable, detail: ""), TransportError(.timedOut, detail: ""))
        let answers = [.failure(down), .failure(down), .failure(late), Self.document("first"), .failure(down)]
        let expected = ["discovery-unavailable", "discovery-unavailable", "/first", "discovery-unavailable"]
        #expect(await events(answers, count: 4) == expected)
    }
}
