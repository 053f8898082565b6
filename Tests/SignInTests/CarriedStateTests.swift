import HTTP
import Sessions
import Testing

import struct Foundation.Date

@testable import Settings
@testable import SignIn

struct CarriedStateTests {
    private static let random = String(repeating: "r", count: 43)
    private let mount = Mount(origin: "https://site.example", path: "/account")
    private let keys: ServerKeys
    private let started = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        keys = try #require(ServerKeys([[UInt8](repeating: 1, count: 32)]))
    }

    private func state(_ path: String?) throws -> CarriedState {
        let returnPath = try path.map { try #require(ReturnPath($0)) }
        return try CarriedState(Self.random, started: started, returnPath: returnPath, mount: mount, sealer: keys)
    }

    @Test(arguments: [nil, "/", "/private/a?b=%2F&c=d"])
    func `a state returns its start time and return path`(path: String?) throws {
        let text = try state(path).text
        let read = CarriedState(text)
        #expect(read.random == Self.random)
        let expected = CarriedState.Beginning(started: started, returnPath: path.flatMap { ReturnPath($0) })
        #expect(read.beginning(mount: mount, sealer: keys) == expected)
        #expect(path == nil || path == "/" || !text.contains("private"))
        #expect(Percent.encode(text) == text, "a provider would escape a character")
    }

    @Test func `a state has at most 512 bytes, and only the cookie contains a longer address`() throws {
        let paths = (1...1500).map { "/" + String(repeating: "a", count: $0) }
        let states = try paths.map { try state($0) }
        #expect(states.allSatisfy { $0.text.utf8.count <= 512 })
        let first = try #require(states.firstIndex { !$0.holdsReturnPath })
        #expect(first > 256 && states[first...].allSatisfy { !$0.holdsReturnPath })
        for state in states[first...].prefix(3) {
            #expect(state.beginning(mount: mount, sealer: keys)?.returnPath == nil)
            #expect(state.beginning(mount: mount, sealer: keys)?.started == started)
        }
    }

    @Test func `a state of another site, key or attempt is rejected`() throws {
        let text = try state("/private/a").text
        let other = try #require(ServerKeys([[UInt8](repeating: 2, count: 32)]))
        #expect(CarriedState(text).beginning(mount: mount, sealer: other) == nil)
        for elsewhere in [
            Mount(origin: "https://other.example", path: "/account"), Mount(origin: "https://site.example", path: ""),
        ] {
            #expect(CarriedState(text).beginning(mount: elsewhere, sealer: keys) == nil)
        }
        let sealed = text.dropFirst(Self.random.count)
        for changed in [
            "s" + text.dropFirst(), String(sealed), String(sealed.dropFirst()), String(text.dropLast()), Self.random,
            Self.random + ".", text + ".", text + "A", "",
        ] {
            #expect(CarriedState(changed).beginning(mount: mount, sealer: keys) == nil, "\(changed)")
        }
    }

    @Test(arguments: [
        "https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/a\r\nX: y",
    ])
    func `an invalid return path in a sealed state leads to the home page`(text: String) throws {
        let purpose = "state https://site.example/account/oauth \(Self.random)"
        let sealed = try keys.seal([UInt8]("1800000000000\n\(text)".utf8), purpose: purpose)
        let beginning = CarriedState("\(Self.random).\(sealed)").beginning(mount: mount, sealer: keys)
        #expect(beginning == nil || beginning?.returnPath == nil)
    }

    @Test func `a text that is sealed for another purpose is not accepted as a state`() throws {
        for purpose in ["signin", "resume", "recent", "state"] {
            let sealed = try keys.seal([UInt8]("1800000000000\n/private/a".utf8), purpose: purpose)
            #expect(CarriedState("\(Self.random).\(sealed)").beginning(mount: mount, sealer: keys) == nil)
        }
    }
}
