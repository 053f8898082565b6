import OpenID
import Testing

import struct Foundation.Data
import class Foundation.JSONDecoder

@Suite struct JSONAgreementTests {
    /// Any value, as Foundation reads it.
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

    /// A generator that gives the same damage in every run (Steele and Vigna's SplitMix64).
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

    @Test func `whatever is read of damaged texts means the same to Foundation`() throws {
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
        // Enough of the damage leaves a text that can be read; otherwise this would compare nothing.
        #expect(read > 250)
    }
}
