import Testing

import struct FoundationEssentials.Date

@testable import Sessions

@Suite struct OperatorProofTests {
    private let keys: ServerKeys
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        keys = try #require(ServerKeys([[UInt8](repeating: 7, count: 32)]))
    }

    @Test func `a proof is valid for a minute`() throws {
        let proof = try OperatorProof.make(keys, now: now)
        for seconds in [-60.0, 0, 60] {
            #expect(OperatorProof.isValid(proof, keys, now: now.addingTimeInterval(seconds)))
        }
        for seconds in [-62.0, 62, 86_400] {
            #expect(!OperatorProof.isValid(proof, keys, now: now.addingTimeInterval(seconds)))
        }
    }

    @Test func `a proof of another key is rejected`() throws {
        let other = try #require(ServerKeys([[UInt8](repeating: 8, count: 32)]))
        #expect(try !OperatorProof.isValid(OperatorProof.make(other, now: now), keys, now: now))
    }

    @Test func `a text that was sealed for another purpose is rejected`() throws {
        let time = Array("1800000000".utf8)
        #expect(try !OperatorProof.isValid(keys.seal(time, purpose: "sign-in"), keys, now: now))
        for text in ["", "AAAA", "1800000000"] { #expect(!OperatorProof.isValid(text, keys, now: now)) }
    }

    @Test func `hashes of settings are sealed for the key, also those of a provider's file`() throws {
        let hashes = OperatorProof.hashes(of: ["A": "1", "A in /etc/providers/google": "2", "B": ""])
        let sealed = try OperatorProof.seal(hashes, keys)
        #expect(OperatorProof.open(sealed, keys) == hashes)
        let other = try #require(ServerKeys([[UInt8](repeating: 8, count: 32)]))
        #expect(OperatorProof.open(sealed, other) == nil)
    }
}
