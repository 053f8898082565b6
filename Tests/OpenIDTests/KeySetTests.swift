import HTTP
import OpenID
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

    /// A token by this key, issued at the clock's time.
    private func token(_ key: SigningKey, named name: String? = nil) throws -> String {
        let now = Int(clock.seconds)
        return try TokenText(
            header: ["kid": #""\#(name ?? key.identifier)""#],
            claims: ["iat": "\(now)", "exp": "\(now + 3600)"]
        ).signed(by: key)
    }

    @Test func `the key set is fetched once for many tokens`() async throws {
        let key = try await SigningKey.rsa()
        let transport = try KeySetPeer(key).transport
        let client = client(transport)
        for _ in 0..<3 { #expect(await refusal(try token(key), client) == nil) }
        #expect(transport.sent.map(\.url) == ["https://provider.example/jwks"])
        #expect(transport.sent.first?.headers[.authorization] == nil)
    }

    @Test func `a key that came after the last fetch is fetched at once`() async throws {
        let old = try await SigningKey.rsa()
        let new = try await SigningKey.rsa("second", number: 1)
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

    @Test func `a token that names no key is judged again by newer keys`() async throws {
        let old = try await SigningKey.rsa()
        let new = try await SigningKey.rsa("second", number: 1)
        let peer = try KeySetPeer(old)
        let client = client(peer.transport)
        #expect(await refusal(try token(old), client) == nil)
        try peer.publish([new.jwk])
        #expect(await refusal(try TokenText(header: ["kid": nil]).signed(by: new), client) == nil)
    }

    @Test func `a key that was replaced under its own name is fetched at once`() async throws {
        let old = try await SigningKey.rsa()
        let new = try await SigningKey.rsa(number: 1)
        let peer = try KeySetPeer(old)
        let client = client(peer.transport)
        #expect(await refusal(try token(old), client) == nil)
        try peer.publish([new.jwk])
        #expect(await refusal(try token(new), client) == nil)
        #expect(await refusal(try token(old), client) == .idTokenSignature)
    }

    @Test func `bad signatures by a key at hand cost one fetch a minute`() async throws {
        let key = try await SigningKey.rsa()
        let transport = try KeySetPeer(key).transport
        let client = client(transport)
        let forger = try await SigningKey.rsa(number: 1)
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
    func `a damaged key does not replace the key of its name`(members: String) async throws {
        let key = try await SigningKey.rsa()
        let other = try await SigningKey.rsa("second", number: 1)
        let peer = try KeySetPeer([key.jwk])
        let client = client(peer.transport)
        #expect(await refusal(try token(key), client) == nil)
        try peer.publish([#"{"kid":"first",\#(members)}"#, other.jwk])
        #expect(await refusal(try token(other), client) == nil)
        #expect(await refusal(try token(key), client) == nil)
        try peer.publish([other.jwk])
        clock.advance(by: 3600)
        #expect(await refusal(try token(key), client) == .idTokenKey)
    }

    @Test func `ten thousand tokens with invented key names cost one more fetch a minute`() async throws {
        let key = try await SigningKey.rsa()
        let transport = try KeySetPeer(key).transport
        let client = client(transport)
        for number in 0..<10_000 {
            // Neither claims nor signature are looked at, so the test need not make any.
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

    @Test func `an invented key name is not asked for again and again while the endpoint fails`() async throws {
        let key = try await SigningKey.rsa()
        let peer = try KeySetPeer(key)
        let transport = peer.transport
        let client = client(transport)
        #expect(await refusal(try token(key), client) == nil)
        peer.fail(TransportError(.timedOut))
        for _ in 0..<20 { #expect(await refusal(try token(key, named: "invented"), client) == .idTokenKey) }
        #expect(transport.sent.count == 2)
    }

    @Test func `keys an hour old are fetched again, and a withdrawn one goes`() async throws {
        let old = try await SigningKey.rsa()
        let new = try await SigningKey.rsa("second", number: 1)
        let peer = try KeySetPeer(old)
        let transport = peer.transport
        let client = client(transport)
        #expect(await refusal(try token(old), client) == nil)
        try peer.publish([new.jwk])
        clock.advance(by: 3599)
        #expect(await refusal(try token(old), client) == nil)
        clock.advance(by: 1)
        #expect(await refusal(try token(old), client) == .idTokenKey)
        #expect(transport.sent.count == 2)
    }

    @Test(arguments: [500, 404, 301, 204, 206])
    func `keys at hand outlive an endpoint that answers with an error`(status: Int) async throws {
        let key = try await SigningKey.rsa()
        let peer = try KeySetPeer(key)
        let transport = peer.transport
        let client = client(transport)
        #expect(await refusal(try token(key), client) == nil)
        let other = try await SigningKey.rsa("second", number: 1)
        peer.answer(with: try .make(status, #"{"keys":[\#(other.jwk)]}"#))
        for _ in 0..<5 {
            clock.advance(by: 86_400)
            #expect(await refusal(try token(key), client) == nil)
        }
        #expect(transport.sent.count == 6)
    }

    @Test(
        arguments: [
            "", "[]", "{}", #"{"keys":[]}"#, #"{"keys":{}}"#, #"{"keys":[{"kty":"oct","k":"AAAA"}]}"#, "<html>",
            #"{"keys":[],"keys":[]}"#,
        ]
    )
    func `keys at hand outlive a set that holds none`(body: String) async throws {
        let key = try await SigningKey.rsa()
        let peer = try KeySetPeer(key)
        let client = client(peer.transport)
        #expect(await refusal(try token(key), client) == nil)
        peer.answer(with: try .make(200, body))
        clock.advance(by: 7200)
        #expect(await refusal(try token(key), client) == nil)
        #expect(await refusal(try token(key), self.client(peer.transport)) == .keysUnavailable)
    }

    @Test func `a first fetch that fails is tried again by the next sign-in`() async throws {
        let key = try await SigningKey.rsa()
        let peer = try KeySetPeer(key)
        peer.fail(TransportError(.unreachable))
        let client = client(peer.transport)
        #expect(await refusal(try token(key), client) == .keysUnavailable)
        peer.fail(TransportError(.busy))
        #expect(await refusal(try token(key), client) == .busy)
        try peer.publish([key.jwk])
        #expect(await refusal(try token(key), client) == nil)
    }

    @Test func `a clock that was put back holds renewals up for a minute, not for ever`() async throws {
        let key = try await SigningKey.rsa()
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

    @Test func `many sign-ins at once share one fetch`() async throws {
        let key = try await SigningKey.rsa()
        let answer = try ClientResponse.make(200, #"{"keys":[\#(key.jwk)]}"#)
        let transport = ScriptedTransport { _ throws(TransportError) in
            // Slow enough for every other task to arrive meanwhile.
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

    @Test func `a provider without a key set cannot vouch for a token`() async throws {
        let key = try await SigningKey.rsa()
        var provider = Provider.make()
        provider.jwksURI = nil
        let transport = ScriptedTransport([])
        let client = OpenIDClient.make(provider: provider, transport: transport)
        #expect(await refusal(try token(key), client) == .keysUnavailable)
        #expect(transport.sent.isEmpty)
    }
}
