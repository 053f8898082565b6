import OpenID
import Testing

@Suite struct AttemptTests {
    private struct Counter: RandomNumberGenerator {
        var value: UInt64 = 0

        mutating func next() -> UInt64 {
            value += 1
            return value
        }
    }

    private static let client = OpenIDClient.make(provider: .make(usesPKCE: true, usesNonce: true))

    @Test func `state, nonce and verifier are 43 characters of base64url each and differ`() throws {
        let request = Self.client.begin()
        let texts = [request.state, try #require(request.nonce), try #require(request.codeVerifier)]
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        #expect(Set(texts).count == 3)
        for text in texts {
            #expect(text.count == 43)
            #expect(Set(text).isSubset(of: alphabet))
        }
    }

    @Test func `a hundred thousand states are all different and use each character equally often`() {
        let client = OpenIDClient.make()
        var counts = [Int](repeating: 0, count: 128)
        var states = Set<String>()
        for _ in 0..<100_000 {
            let state = client.begin().state
            states.insert(state)
            // The last character carries four bits only.
            for byte in state.utf8.dropLast() { counts[Int(byte)] += 1 }
        }
        #expect(states.count == 100_000)
        let expected = 4_200_000.0 / 64
        let seen = counts.filter { $0 > 0 }.map(Double.init)
        let chiSquare = seen.reduce(0) { $0 + ($1 - expected) * ($1 - expected) / expected }
        // 63 degrees of freedom: a fair source goes beyond 140 less than once in ten million runs.
        #expect(seen.count == 64)
        #expect(chiSquare < 140)
    }

    @Test func `all randomness comes from the generator that is handed in`() {
        var first = Counter()
        var second = Counter()
        let request = Self.client.begin(using: &first)
        #expect(request == Self.client.begin(using: &second))
        #expect(request != Self.client.begin(using: &second))
    }
}
