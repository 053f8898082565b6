import OpenID
import Testing

import struct Foundation.Data
import class Foundation.JSONDecoder

@Suite struct JSONTests {
    private func read(_ text: String) -> JSON? {
        JSON(parsing: Array(text.utf8))
    }

    @Test func `every kind of JSON value is read`() {
        let text = " {\"a\" : [ null , true,false, -0.5e+1, 0, 12E2, \"x\" ],\r\n\t\"b\":{}, \"\":[] } "
        let expected: [String: JSON] = [
            "a": .array([.null, .bool(true), .bool(false), .number(-5), .number(0), .number(1200), .string("x")]),
            "b": .object([:]), "": .array([]),
        ]
        #expect(read(text) == .object(expected))
    }

    @Test(
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u0041\u00e9\u20ac""#, "Aé€"),
            (#""\ud83e\udd8a\uD83E\uDD8A""#, "🦊🦊"), (#""\u0000""#, "\0"), ("\"é🦊\u{7f}\u{2028}\"", "é🦊\u{7f}\u{2028}"),
            (#""\uffff\udbff\udfff""#, "\u{ffff}\u{10ffff}"), (#""""#, ""),
        ]
    )
    func `escapes in JSON strings are decoded`(text: String, expected: String) {
        #expect(read(text)?.stringValue.map { Array($0.utf8) } == Array(expected.utf8))
    }

    @Test(
        arguments: [
            "", " ", "{", "}", "[", "]", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
            "{'a':1}", "{1:1}", "tru", "nul", "True", "truex", "01", "-", "-a", "+1", ".5", "1.", "1.e5", "1e", "1e+",
            "0x10", "NaN", "Infinity", "-Infinity", "1e400", "-1e400", "\"", "\"a", "\"\\\"", "\"\\x\"", "\"\\u12\"",
            "\"\\u12g4\"", "\"\\u+123\"", "\"\n\"", "\"\0\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"",
            "\"\\ud800\\ud800\"", "\"\\ud800x\"", "1 1", "{}{}", "[]x", "\u{feff}{}", "{}\0", "/**/1", "[1]//",
            "\u{a0}1", "\"\\u\u{ff11}\u{ff11}\u{ff11}\u{ff11}\"",
        ]
    )
    func `invalid JSON is rejected`(text: String) {
        #expect(read(text) == nil)
    }

    @Test func `a JSON object with a repeated member is rejected, however the name is escaped and nested`() {
        #expect(read(#"{"a":1,"a":1}"#) == nil)
        #expect(read(#"{"a":1,"\u0061":2}"#) == nil)
        #expect(read(#"[{"x":{"a":1,"b":2,"a":3}}]"#) == nil)
        #expect(read("{\"e\u{301}\":1,\"é\":2}") == nil)
        #expect(read(#"{"a":{"a":1},"A":1}"#) != nil)
    }

    @Test(
        arguments: [
            [0xff], [0x22, 0xff, 0x22], [0x22, 0xc0, 0x80, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0x22, 0xc3, 0x22],
            [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], [0x7b, 0x00, 0x7d, 0x00], [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00],
            [0x00, 0x7b, 0x00, 0x7d], [0xef, 0xbb, 0xbf, 0x31],
        ] as [[UInt8]]
    )
    func `JSON that is not UTF-8 is rejected`(bytes: [UInt8]) {
        #expect(JSON(parsing: bytes) == nil)
    }

    @Test func `JSON nested deeper than 64 levels is rejected`() {
        let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        #expect(read(nested(64)) != nil)
        #expect(read(nested(65)) == nil)
        #expect(read(String(repeating: "[", count: 500_000)) == nil)
        #expect(read(String(repeating: #"{"a":"#, count: 65) + "1" + String(repeating: "}", count: 65)) == nil)
        #expect(read("[" + String(repeating: "[],{},", count: 100) + "1]") != nil)
    }

    @Test func `JSON longer than 1 MiB is rejected`() {
        let text = { (count: Int) in "\"" + String(repeating: "a", count: count - 2) + "\"" }
        #expect(read(text(1 << 20)) != nil)
        #expect(read(text(1 << 20 + 1)) == nil)
    }

    @Test func `members are found only in JSON objects`() {
        #expect(read(#"{"a":{"b":1}}"#)?["a"]?["b"]?.numberValue == 1)
        #expect(read("[1]")?["0"] == nil)
        #expect(read("[true]")?.arrayValue?.first == .bool(true))
        #expect(read("\"a\"")?.objectValue == nil)
    }
}

@Suite struct JSONAgreementTests {
    /// Any JSON value as Foundation reads it.
    private indirect enum Foreign: Decodable {
        case value(JSON)

        init(from decoder: any Decoder) throws {
            let single = try decoder.singleValueContainer()
            if single.decodeNil() {
                self = .value(.null)
            } else if let bool = try? single.decode(Bool.self) {
                self = .value(.bool(bool))
            } else if let number = try? single.decode(Double.self) {
                self = .value(.number(number))
            } else if let text = try? single.decode(String.self) {
                self = .value(.string(text))
            } else if let elements = try? single.decode([Foreign].self) {
                self = .value(.array(elements.map(\.json)))
            } else {
                self = .value(.object(try single.decode([String: Foreign].self).mapValues(\.json)))
            }
        }

        var json: JSON {
            switch self {
            case .value(let json): json
            }
        }
    }

    /// A random generator with the same numbers in every run (Steele and Vigna's SplitMix64).
    private struct Damage: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = state
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }
    }

    @Test func `damaged JSON is either rejected or read as Foundation reads it`() throws {
        let seeds = [
            #"{"access_token":"AQX","expires_in":5183999,"scope":"email,openid","ok":true,"x":[1,-2.5e3,null]}"#,
            #"{"keys":[{"kty":"RSA","e":"AQAB","n":"\u00e9\ud83e\udd8a\\\"\/"}],"k":{"a":{},"b":[[]]}}"#,
        ]
        let pieces = Array(#"{}[]",:\u0 1e-.+tfn"#.utf8) + [0x00, 0x0a, 0x7f, 0xc3, 0xa9, 0xff]
        var damage = Damage(state: 7)
        var read = 0
        for _ in 0..<5_000 {
            var bytes = Array(try #require(seeds.randomElement(using: &damage)).utf8)
            for _ in 0..<Int.random(in: 1...3, using: &damage) {
                let place = Int.random(in: 0..<bytes.count, using: &damage)
                switch Int.random(in: 0..<3, using: &damage) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(try #require(pieces.randomElement(using: &damage)), at: place)
                default: bytes[place] = try #require(pieces.randomElement(using: &damage))
                }
            }
            guard let ours = JSON(parsing: bytes) else { continue }
            read += 1
            let foreign = try JSONDecoder().decode(Foreign.self, from: Data(bytes))
            #expect(foreign.json == ours, "\(String(decoding: bytes, as: UTF8.self))")
        }
        // Often enough the damaged text is still readable; otherwise this test would compare nothing.
        #expect(read > 250)
    }
}
