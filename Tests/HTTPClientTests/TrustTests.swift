import HTTP
import HTTPClient
import Testing

@Suite struct TrustTests {
    @Test(
        arguments: [
            "self-signed", "expired", "not-yet-valid", "wrong-host", "common-name", "other-kind", "address",
            "unknown-authority", "tls-1.0", "tls-1.1",
        ]
    )
    func `a server without a valid certificate receives no request`(listener: String) async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let token = uniqueToken()
        let request = try ClientRequest(.post, server.url("ok", token: token, on: listener), body: Array("secret".utf8))
        let error = try await #require(throws: TransportError.self) { try await client.send(request) }
        #expect(error.code == .untrusted && error.isUnsent, "\(error.detail)")
        #expect(!listener.hasPrefix("tls-") || error.trustFault == .handshakeFailed)
        await client.shutdown()
        #expect(try await server.seen(token).isEmpty)
        let connections = try await server.seen("rest-of-\(listener)", atLeast: 1)
        #expect(!connections.isEmpty && connections.allSatisfy { $0.body.isEmpty })
    }

    @Test(
        arguments: [
            ("self-signed", .selfSigned, "is self-signed"), ("expired", .expired, "has expired"),
            ("not-yet-valid", .notYetValid, "is not valid yet"), ("wrong-host", .otherHost, "names another host"),
            ("common-name", .otherHost, "names another host"),
            ("unknown-authority", .unknownAuthority, "is signed by an unknown authority"),
        ] as [(String, TransportError.TrustFault, String)]
    )
    func `the error about a rejected certificate names the reason and the host`(
        listener: String,
        fault: TransportError.TrustFault,
        reason: String
    ) async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let request = try ClientRequest(.get, server.url("ok", on: listener))
        let error = try await #require(throws: TransportError.self) { try await client.send(request) }
        #expect(error.trustFault == fault && error.detail == "the certificate of localhost \(reason)")
        await client.shutdown()
    }

    @Test func `no call uses an HTTP/2 connection to a server without a valid certificate`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let request = try ClientRequest(.post, server.url("call", on: "http2-common-name"), body: [1])
        for count in [1, 10, 10] {
            let codes = await withTaskGroup(of: TransportError.Code?.self) { group in
                for _ in 0..<count { group.addTask { await client.errorCode(of: request) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes == Array(repeating: .untrusted, count: count))
        }
        await client.shutdown()
    }

    @Test(arguments: ["wrong-host", "common-name", "other-kind", "address-as-name"])
    func `an address must be in the certificate as an address`(listener: String) async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let url = try server.url("ok", on: listener).replacing("localhost", with: "127.0.0.1")
        #expect(await client.errorCode(of: ClientRequest(.get, url)) == .untrusted)
        await client.shutdown()
    }

    @Test(arguments: [
        ("address", "127.0.0.1"), ("good", "127.0.0.1"), ("good", "127.1"), ("good", "LocalHost"),
        ("http2", "127.0.0.1"), ("http2", "localhost"),
    ])
    func `a server whose certificate names the requested host is accepted`(listener: String, host: String) async throws
    {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let url = try server.url("ok", on: listener).replacing("//localhost:", with: "//\(host):")
        // The second call uses the connection of the first.
        for _ in 0..<2 { #expect(try await client.send(ClientRequest(.get, url)).status == 200) }
        await client.shutdown()
    }

    @Test func `a server with a valid certificate is called over TLS`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        let response = try await client.send(ClientRequest(.get, server.url("ok", on: "good")))
        #expect(response.body == Array("hello".utf8))
        await client.shutdown()
    }

    @Test func `a private authority is trusted only if configured, and then no other is`() async throws {
        let server = try await FaultServer.shared.value
        for authorityFile in [nil, "/etc/ssl/certs/ca-certificates.crt", "/nonexistent"] {
            let client = try server.client { $0.authorityFile = authorityFile }
            let request = try ClientRequest(.get, server.url("ok", on: "good"))
            let error = try await #require(throws: TransportError.self) { try await client.send(request) }
            #expect(error.code == .untrusted)
            await client.shutdown()
        }
    }

    /// libcurl accepts any end of the connection as the end of the body, with or without close_notify.
    @Test(arguments: [("truncated", "good"), ("truncated", "http")])
    func `a body without a length is rejected if anyone could have cut it short`(
        answer: String,
        listener: String
    ) async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        // First a call that keeps its connection, and one whose connection ends as it should.
        if listener == "good" {
            for other in ["ok", "until-close"] {
                _ = try await client.send(ClientRequest(.get, server.url(other, on: listener)))
            }
        }
        for method in [Method.get, .post] {
            let request = try ClientRequest(method, server.url(answer, on: listener))
            #expect(await client.errorCode(of: request) == .malformed)
        }
        await client.shutdown()
    }

    @Test(arguments: [Method.get, .post])
    func `a body that ends with the connection is complete if TLS ended too`(method: Method) async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client()
        // The second call uses the connection of the first, if it may.
        _ = try await client.send(ClientRequest(.get, server.url("ok", on: "good")))
        let response = try await client.send(ClientRequest(method, server.url("until-close", on: "good")))
        #expect(response.status == 200 && !response.body.isEmpty)
        #expect(response.headers[.contentLength] == nil && response.headers[.transferEncoding] == nil)
        await client.shutdown()
    }

    @Test func `a body without a length has the limits of every body`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client { $0.maximumBodyBytes = 1 }
        let request = try ClientRequest(.get, server.url("until-close", on: "good"))
        #expect(await client.errorCode(of: request) == .tooLarge)
        await client.shutdown()
    }

    @Test func `a handshake that times out has sent nothing`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client { $0.beImpatient() }
        let request = try ClientRequest(.post, server.url("ok", on: "stall"), body: [1])
        let error = try await #require(throws: TransportError.self) { try await client.send(request) }
        #expect(error.code == .timedOut && error.isUnsent)
        await client.shutdown()
    }

    @Test func `a stalled handshake times out for every call that waits for it`() async throws {
        let server = try await FaultServer.shared.value
        let client = try server.client { $0.beImpatient() }
        let url = try server.url("ok", on: "stall")
        let start = ContinuousClock.now
        let codes = await withTaskGroup(of: TransportError.Code?.self) { group in
            for _ in 0..<10 { group.addTask { await client.errorCode(of: ClientRequest(.get, url)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: .timedOut, count: 10))
        #expect(start.duration(to: .now) < .seconds(3))
        await client.shutdown()
    }
}

extension CurlTransport {
    /// The error of a call; nil if it has an answer.
    func errorCode(of request: ClientRequest) async -> TransportError.Code? {
        do {
            _ = try await send(request)
            return nil
        } catch {
            return error.code
        }
    }
}
