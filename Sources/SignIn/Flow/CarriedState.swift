import HTTP
import OpenID
import Sessions
import Settings

import struct FoundationEssentials.Date

/// The `state` that the provider returns: a random part, then the sealed start time and return path of the sign-in.
///
/// The random part must match the sign-in cookie (RFC 6749 §10.12). The sealed part leads a browser that has a live
/// session but lost this cookie to the address that it requested. It opens only with this server's keys, for this
/// site and with its own random part.
struct CarriedState: Sendable {
    /// The maximum length of the whole text in bytes.
    ///
    /// Providers name no limit; some web servers and proxies reject addresses above 2,000.
    static let maximumLength = 512
    private static let separator: Character = "."

    /// The content of the sealed part.
    struct Beginning: Sendable, Equatable {
        let started: Date
        /// Nil for the home page or an address that is too long for a state.
        let returnPath: ReturnPath?
    }

    let random: String
    private let sealed: String
    /// Whether the sealed part contains the return path, so that the cookie does not need it.
    let holdsReturnPath: Bool

    /// Seals the beginning of a sign-in, without the return path if it would make the state too long.
    init(
        _ random: String,
        started: Date,
        returnPath: ReturnPath?,
        mount: Mount,
        sealer: ServerKeys
    ) throws(StoreError) {
        self.random = random
        let purpose = Self.purpose(random, mount)
        let time = String(Int64(started.timeIntervalSince1970 * 1000))
        let whole = try sealer.seal([UInt8]("\(time)\n\(returnPath?.text ?? "")".utf8), purpose: purpose)
        holdsReturnPath = random.utf8.count + 1 + whole.utf8.count <= Self.maximumLength
        sealed = holdsReturnPath ? whole : try sealer.seal([UInt8]("\(time)\n".utf8), purpose: purpose)
    }

    /// Parses the state of a callback; accepts any text.
    init(_ text: String) {
        let parts = text.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
        random = String(parts[0])
        sealed = parts.count == 2 ? String(parts[1]) : ""
        holdsReturnPath = false
    }

    var text: String { "\(random)\(Self.separator)\(sealed)" }

    /// Opens the sealed part; nil for a state that this site did not make.
    func beginning(mount: Mount, sealer: ServerKeys) -> Beginning? {
        guard let bytes = sealer.open(sealed, purpose: Self.purpose(random, mount)) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 2, let time = Int64(lines[0]) else { return nil }
        return Beginning(
            started: Date(timeIntervalSince1970: Double(time) / 1000),
            returnPath: ReturnPath(String(lines[1]))
        )
    }

    private static func purpose(_ random: String, _ mount: Mount) -> String {
        "state \(mount.redirectURI) \(random)"
    }
}
