import HTTP
import OpenID
import Synchronization
import Testing

import struct Foundation.Data

@Suite struct KeySetTests {
    private let clock = TestClock()

    private func client(_ transport: ScriptedTransport) -> OpenIDClient {
        OpenIDClient.make(transport: transport, now: clock.now)
    }

    private func refusal(_ token: String, _ client: OpenIDClient) async -> OpenIDError.Code? {
        do throws(OpenIDError) {
            _ = try await client.verify(idToken: token, accessToken: nil, nonce: nil)
            return nil
        } catch {
            return error.code
        }
    }

    /// Waits until a token is refused for a reason, nil for none: old keys stay in use until others are fetched.
    private func refusal(_ token: String, _ client: OpenIDClient, becomes code: OpenIDError.Code?) async -> Bool {
        for _ in 0..<10_000 {
            if await refusal(token, client) == code { return true }
            await Task.yield()
        }
        return false
    }

    /// Waits until this many requests were sent.
    private func sent(_ count: Int, by transport: ScriptedTransport) async -> Bool {
        for _ in 0..<10_000 where transport.sent.count < count { await Task.yield() }
        return transport.sent.count == count
    }

    /// An ID token signed by this key, issued now.
    private func token(_ key: SigningKey, named name: String? = nil) throws -> String {
        let now = Int(clock.seconds)
        return try TokenText(
            header: ["kid": #""\#(name ?? key.identifier)""#],
            claims: ["iat": "\(now)", "exp": "\(now + 3600)"]
        ).signed(by: key)
    }

    @Test func `many ID tokens cost one fetch of the key set`() async throws {
        let key = try SigningKey.rsa()
        let transport = try KeySetPeer(key).transport
        let client = client(transport)
        for _ in 0..<3 { #expect(await refusal(try token(key), client) == nil) }
        #expect(transport.sent.map(\.url) == ["https://provider.example/jwks"])
        #expect(transport.sent.first?.headers[.authorization] == nil)
    }

    @Test func `a key published after the last fetch is fetched at once`() async throws {
        let old = try SigningKey.rsa()
        let new = try SigningKey.rsa("second", number: 1)
        let peer = try KeySetPeer(old)
        let transport = peer.transport
        let client = client(transport)
        #expect(await refusal(try token(old), client) == nil)
        try peer.publish([new.jwk])
        #expect(await refusal(try token(new), client) == nil)
        #expect(transport.sent.count == 2)
        #expect(await refusal(try token(old), client) == .idTokenKey)
        #expect(transport.sent.count == 2)
    }

    @Test func `an ID token without kid is verified again with newer keys`() async throws {
        let old = try SigningKey.rsa()
        let new = try SigningKey.rsa("second", number: 1)
        let peer = try KeySetPeer(old)
        let client = client(peer.transport)
        #expect(await refusal(try token(old), client) == nil)
        try peer.publish([new.jwk])
        #expect(await refusal(try TokenText(header: ["kid": nil]).signed(by: new), client) == nil)
    }

    @Test func `a key replaced under the same identifier is fetched at once`() async throws {
        let old = try SigningKey.rsa()
        let new = try SigningKey.rsa(number: 1)
        let peer = try KeySetPeer(old)
        let client = client(peer.transport)
        #expect(await refusal(try token(old), client) == nil)
        try peer.publish([new.jwk])
        #expect(await refusal(try token(new), client) == nil)
        #expect(await refusal(try token(old), client) == .idTokenSignature)
    }

    @Test func `bad signatures for a known key cost one fetch a minute`() async throws {
        let key = try SigningKey.rsa()
        let transport = try KeySetPeer(key).transport
        let client = client(transport)
        let forger = try SigningKey.rsa(number: 1)
        for _ in 0..<20 { #expect(await refusal(try token(forger), client) == .idTokenSignature) }
        #expect(transport.sent.count == 2)
        clock.advance(by: 60)
        for _ in 0..<20 { #expect(await refusal(try token(forger), client) == .idTokenSignature) }
        #expect(transport.sent.count == 3)
        #expect(await refusal(try token(key), client) == nil)
        #expect(transport.sent.count == 3)
    }

    @Test(
        arguments: [
            #""kty":"RSA","e":"AQAB","n":"AQAB""#, #""kty":"RSA","e":"AQAB","n":"!""#, #""kty":"oct","k":"AAAA""#,
            #""kty":"RSA","e":"AQAB","n":"\#(Data([UInt8](repeating: 0x80, count: 256)).base64URL)""#,
        ]
    )
    func `a damaged key does not replace the known key with the same identifier`(members: String) async throws {
        let key = try SigningKey.rsa()
        let other = try SigningKey.rsa("second", number: 1)
        let peer = try KeySetPeer([key.jwk])
        let client = client(peer.transport)
        #expect(await refusal(try token(key), client) == nil)
        try peer.publish([#"{"kid":"first",\#(members)}"#, other.jwk])
        #expect(await refusal(try token(other), client) == nil)
        #expect(await refusal(try token(key), client) == nil)
        try peer.publish([other.jwk])
        clock.advance(by: 3600)
        #expect(await refusal(try token(key), client, becomes: .idTokenKey))
    }

    @Test func `a damaged key beside a new key with the same identifier does not keep the known key`() async throws {
        let old = try SigningKey.rsa()
        let new = try SigningKey.rsa(number: 1)
        let peer = try KeySetPeer(old)
        let client = client(peer.transport)
        #expect(await refusal(try token(old), client) == nil)
        try peer.publish([#"{"kid":"first","kty":"RSA","e":"AQAB","n":"!"}"#, new.jwk])
        #expect(await refusal(try token(new), client) == nil)
        #expect(await refusal(try token(old), client) == .idTokenSignature)
    }

    @Test func `ten thousand ID tokens with invented key identifiers cost one more fetch a minute`() async throws {
        let key = try SigningKey.rsa()
        let transport = try KeySetPeer(key).transport
        let client = client(transport)
        for number in 0..<10_000 {
            // Claims and signature are never read, so the test leaves them out.
            let forged = #"{"alg":"RS256","kid":"invented \#(number)"}"#.base64URL + ".e30.AAAA"
            #expect(await refusal(forged, client) == .idTokenKey)
        }
        #expect(transport.sent.count == 2)
        #expect(await refusal(try token(key), client) == nil)
        clock.advance(by: 59)
        #expect(await refusal(try token(key, named: "invented"), client) == .idTokenKey)
        #expect(transport.sent.count == 2)
        clock.advance(by: 1)
        #expect(await refusal(try token(key, named: "invented"), client) == .idTokenKey)
        #expect(transport.sent.count == 3)
    }

    @Test func `invented key identifiers cause no repeated fetches while the key endpoint fails`() async throws {
        let key = try SigningKey.rsa()
        let peer = try KeySetPeer(key)
        let transport = peer.transport
        let client = client(transport)
        #expect(await refusal(try token(key), client) == nil)
        peer.fail(TransportError(.timedOut))
        for _ in 0..<20 { #expect(await refusal(try token(key, named: "invented"), client) == .idTokenKey) }
        #expect(transport.sent.count == 2)
    }

    @Test func `keys are fetched again after an hour, and withdrawn keys are removed`() async throws {
        let old = try SigningKey.rsa()
        let new = try SigningKey.rsa("second", number: 1)
        let peer = try KeySetPeer(old)
        let transport = peer.transport
        let client = client(transport)
        #expect(await refusal(try token(old), client) == nil)
        try peer.publish([new.jwk])
        clock.advance(by: 3599)
        #expect(await refusal(try token(old), client) == nil)
        clock.advance(by: 1)
        #expect(await refusal(try token(old), client, becomes: .idTokenKey))
        #expect(transport.sent.count == 2)
    }

    @Test(.timeLimit(.minutes(1))) func `a key set that hangs delays no token that a known key verifies`() async throws
    {
        let key = try SigningKey.rsa()
        let answer = try ClientResponse.make(200, #"{"keys":[\#(key.jwk)]}"#)
        let (hanging, end) = AsyncStream.makeStream(of: Void.self)
        let fetches = Atomic(0)
        let transport = ScriptedTransport { _ throws(TransportError) in
            let number = fetches.add(1, ordering: .relaxed).newValue
            if number > 1 { for await _ in hanging { break } }
            return answer
        }
        let client = client(transport)
        #expect(await refusal(try token(key), client) == nil)
        clock.advance(by: 7200)
        for _ in 0..<5 { #expect(await refusal(try token(key), client) == nil) }
        #expect(await sent(2, by: transport))
        end.finish()
        #expect(await refusal(try token(key), client) == nil)
    }

    @Test func `a call for tokens fetches old keys again, and no others`() async throws {
        let key = try SigningKey.rsa()
        let transport = try KeySetPeer(key).transport
        let client = OpenIDClient.make(options: .make(issuesIDToken: true), transport: transport, now: clock.now)
        let keys = { transport.sent.count { $0.url == "https://provider.example/jwks" } }
        // The peer answers with keys to every request.
        let askForTokens = { _ = try? await client.refresh(refreshToken: "r1") }
        await askForTokens()
        try await client.requireKeys()
        clock.advance(by: 3599)
        await askForTokens()
        for _ in 0..<100 { await Task.yield() }
        #expect(keys() == 1)
        clock.advance(by: 1)
        await askForTokens()
        for _ in 0..<10_000 where keys() < 2 { await Task.yield() }
        #expect(keys() == 2)
    }

    @Test(arguments: [500, 404, 301, 204, 206])
    func `known keys stay in use while the key endpoint answers with an error`(status: Int) async throws {
        let key = try SigningKey.rsa()
        let peer = try KeySetPeer(key)
        let transport = peer.transport
        let client = client(transport)
        #expect(await refusal(try token(key), client) == nil)
        let other = try SigningKey.rsa("second", number: 1)
        peer.answer(with: try .make(status, #"{"keys":[\#(other.jwk)]}"#))
        for number in 1...5 {
            clock.advance(by: 86_400)
            #expect(await refusal(try token(key), client) == nil)
            #expect(await sent(1 + number, by: transport))
        }
        #expect(await refusal(try token(key), client) == nil)
    }

    @Test(
        arguments: [
            "", "[]", "{}", #"{"keys":[]}"#, #"{"keys":{}}"#, #"{"keys":[{"kty":"oct","k":"AAAA"}]}"#, "<html>",
            #"{"keys":[],"keys":[]}"#,
        ]
    )
    func `known keys stay in use if a new key set is empty`(body: String) async throws {
        let key = try SigningKey.rsa()
        let peer = try KeySetPeer(key)
        let client = client(peer.transport)
        #expect(await refusal(try token(key), client) == nil)
        peer.answer(with: try .make(200, body))
        clock.advance(by: 7200)
        #expect(await refusal(try token(key), client) == nil)
        #expect(await refusal(try token(key), self.client(peer.transport)) == .keysUnavailable)
    }

    @Test func `a failed first fetch of the keys is retried by the next sign-in`() async throws {
        let key = try SigningKey.rsa()
        let peer = try KeySetPeer(key)
        peer.fail(TransportError(.unreachable))
        let client = client(peer.transport)
        #expect(await refusal(try token(key), client) == .keysUnavailable)
        peer.fail(TransportError(.busy))
        #expect(await refusal(try token(key), client) == .busy)
        try peer.publish([key.jwk])
        #expect(await refusal(try token(key), client) == nil)
    }

    @Test func `a clock that was set back delays the next fetch of the keys by one minute only`() async throws {
        let key = try SigningKey.rsa()
        let transport = try KeySetPeer(key).transport
        let client = client(transport)
        #expect(await refusal(try token(key, named: "invented"), client) == .idTokenKey)
        #expect(transport.sent.count == 2)
        clock.advance(by: -86_400)
        #expect(await refusal(try token(key, named: "invented"), client) == .idTokenKey)
        #expect(transport.sent.count == 2)
        clock.advance(by: 60)
        #expect(await refusal(try token(key, named: "invented"), client) == .idTokenKey)
        #expect(transport.sent.count == 3)
    }

    @Test func `concurrent sign-ins share one fetch of the keys`() async throws {
        let key = try SigningKey.rsa()
        let answer = try ClientResponse.make(200, #"{"keys":[\#(key.jwk)]}"#)
        let transport = ScriptedTransport { _ throws(TransportError) in
            // Slow enough that every other task arrives during the fetch.
            for _ in 0..<2000 { await Task.yield() }
            return answer
        }
        let client = client(transport)
        let token = try token(key)
        let refusals = await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await refusal(token, client) } }
            return await group.reduce(into: [OpenIDError.Code?]()) { $0.append($1) }
        }
        #expect(refusals.count == 50)
        #expect(refusals.allSatisfy { $0 == nil })
        #expect(transport.sent.count == 1)
    }

    @Test func `without a key set no ID token is accepted`() async throws {
        let key = try SigningKey.rsa()
        var provider = ProtocolOptions.make()
        provider.jwksURI = nil
        let transport = ScriptedTransport([])
        let client = OpenIDClient.make(options: provider, transport: transport)
        #expect(await refusal(try token(key), client) == .keysUnavailable)
        #expect(transport.sent.isEmpty)
    }
}
