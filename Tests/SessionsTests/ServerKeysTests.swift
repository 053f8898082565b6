import Encoding
import Foundation
import Sessions
import TestSupport
import Testing

/// What the browser carries and cannot read.
@Suite struct ServerKeysTests {
    let keys: ServerKeys
    private let old = [UInt8](repeating: 1, count: 32)
    private let new = [UInt8](repeating: 2, count: 32)
    private let text = Array("return to /profile".utf8)

    init() throws {
        keys = try #require(ServerKeys([old]))
    }

    @Test(arguments: [0, 1, 300])
    func `what was sealed opens for the same purpose alone`(count: Int) throws {
        let text = [UInt8](repeating: 7, count: count)
        let sealed = try keys.seal(text, purpose: "sign-in")
        #expect(keys.open(sealed, purpose: "sign-in") == text)
        for other in ["", "sign-i", "sign-in ", "Sign-in", "session"] {
            #expect(keys.open(sealed, purpose: other) == nil)
        }
    }

    @Test func `no changed, cut or lengthened text opens`() throws {
        let sealed = Array(try keys.seal(text, purpose: "sign-in").utf8)
        for index in sealed.indices {
            for replacement in "Az0_".utf8 where sealed[index] != replacement {
                var mutant = sealed
                mutant[index] = replacement
                #expect(keys.open(String(decoding: mutant, as: UTF8.self), purpose: "sign-in") == nil)
            }
            #expect(keys.open(String(decoding: sealed[..<index], as: UTF8.self), purpose: "sign-in") == nil)
        }
        for more in ["A", "AA", "AAAA", "=", " "] {
            #expect(keys.open(String(decoding: sealed, as: UTF8.self) + more, purpose: "sign-in") == nil)
        }
        for odd in ["", "x", "é", String(repeating: "A", count: 10_000)] {
            #expect(keys.open(odd, purpose: "sign-in") == nil)
        }
    }

    @Test func `a new key seals, and the old one opens what it sealed until it is taken away`() throws {
        let before = try keys.seal(text, purpose: "sign-in")
        let both = try #require(ServerKeys([new, old]))
        let after = try both.seal(text, purpose: "sign-in")
        let newAlone = try #require(ServerKeys([new]))
        #expect(both.open(before, purpose: "sign-in") == text)
        #expect(both.open(after, purpose: "sign-in") == text)
        #expect(newAlone.open(after, purpose: "sign-in") == text)
        #expect(newAlone.open(before, purpose: "sign-in") == nil)
        #expect(keys.open(after, purpose: "sign-in") == nil)
    }

    @Test func `sealed twice is not the same twice, and shows neither text nor key`() throws {
        let first = try keys.seal(text, purpose: "sign-in")
        #expect(try first != keys.seal(text, purpose: "sign-in"))
        #expect(first.utf8.allSatisfy { Character(UnicodeScalar($0)).isLetter || "0123456789-_".utf8.contains($0) })
        let bytes = try #require(Base64URL.decode(first))
        #expect(Data(bytes).range(of: Data(text)) == nil)
        #expect(Data(bytes).range(of: Data(old.prefix(4))) == nil)
        #expect(String(describing: keys) == "<redacted>")
        #expect(String(reflecting: keys) == "<redacted>")
    }

    @Test func `keys that are none, short or long are refused`() {
        #expect(ServerKeys([]) == nil)
        #expect(ServerKeys([Array(repeating: 1, count: 31)]) == nil)
        #expect(ServerKeys([old, Array(repeating: 1, count: 33)]) == nil)
    }

    @Test func `without random bytes nothing is sealed`() throws {
        let random = RandomBytes { _ throws(StoreError) in throw StoreError(.noRandom, detail: "none") }
        let keys = try #require(ServerKeys([old], random: random))
        #expect(throws: StoreError(.noRandom, detail: "none")) { try keys.seal(text, purpose: "sign-in") }
    }
}
