import Encoding

/// A client for limits: an IPv4 address, or the /64 network of an IPv6 address.
///
/// A provider assigns one customer at least a /64 (RFC 6177 §2), so a limit for a single IPv6 address has no effect.
package struct ClientAddress: Hashable, Sendable {
    /// The client of every text that is not an address.
    package static let unknown = ClientAddress(number: .max)

    /// The first 64 bits of an IPv6 address.
    ///
    /// IPv4 addresses are in `0:ffff::/32`, and `unknown` is in `ffff::/16`: no host sends from either (RFC 4291 §2.4).
    package let number: UInt64

    private init(number: UInt64) {
        self.number = number
    }

    /// Parses an address as web servers write it in `REMOTE_ADDR` (RFC 4291 §2.2); ignores a zone.
    ///
    /// - Parameter text: An IPv4-mapped address (`::ffff:192.0.2.1`) counts as IPv4.
    package init(_ text: String) {
        let address = text.prefix { $0 != "%" }
        if let number = Self.ipv4(address) {
            self.init(ipv4: number)
        } else if let groups = Self.ipv6(address) {
            self.init(groups)
        } else {
            self = .unknown
        }
    }

    private init(ipv4 number: UInt32) {
        self.init(number: 0x0000_FFFF << 32 | UInt64(number))
    }

    private init(_ groups: [UInt16]) {
        if groups.prefix(6).elementsEqual([0, 0, 0, 0, 0, 0xFFFF]) {
            self.init(ipv4: UInt32(groups[6]) << 16 | UInt32(groups[7]))
        } else {
            self.init(number: groups.prefix(4).reduce(0) { $0 << 16 | UInt64($1) })
        }
    }

    private static func ipv4(_ text: Substring) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var number: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy(\.isASCIIDigit),
                let byte = UInt8(part)
            else { return nil }
            number = number << 8 | UInt32(byte)
        }
        return number
    }

    private static func ipv6(_ text: Substring) -> [UInt16]? {
        guard let gap = text.firstRange(of: "::") else {
            let groups = groups(text, mayEndInIPv4: true)
            return groups?.count == 8 ? groups : nil
        }
        guard let head = groups(text[..<gap.lowerBound], mayEndInIPv4: false),
            let tail = groups(text[gap.upperBound...], mayEndInIPv4: true), head.count + tail.count < 8
        else { return nil }
        return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    /// The 16-bit groups between colons; none for an empty text.
    private static func groups(_ text: Substring, mayEndInIPv4: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", maxSplits: 8, omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (position, part) in parts.enumerated() {
            if mayEndInIPv4, position == parts.count - 1, let number = ipv4(part) {
                groups += [UInt16(number >> 16), UInt16(truncatingIfNeeded: number)]
            } else {
                guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit), part.utf8.count == part.count,
                    let group = UInt16(part, radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        return groups
    }
}

extension Request {
    /// The client, as the web server reports it; for limits, never for access.
    package var client: ClientAddress { ClientAddress(remoteAddress) }
}
