import HTTP
import Sessions

import struct FoundationEssentials.Date

/// The sign-ins that one browser finished within the last minute, as it carries them sealed in a cookie.
///
/// A browser that comes back from each without its session would be sent round for ever. The session's cookie cannot
/// tell, for it is what is missing; so another one counts.
struct RecentSignIns {
    static let cookieName = "recent-signins"
    /// Seconds that a sign-in counts.
    private static let lifetime = 60
    private static let purpose = "recent"
    /// As many in one lifetime are no person's doing.
    private static let limit = 3

    private let times: [Date]

    init(_ cookies: Cookies, sealer: ServerKeys, now: Date) {
        guard case .one(let value) = cookies["__Host-" + Self.cookieName],
            let bytes = sealer.open(value, purpose: Self.purpose)
        else {
            times = []
            return
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        times = lines.compactMap { Int64($0) }.map { Date(timeIntervalSince1970: Double($0) / 1000) }
            .filter { (0..<Double(Self.lifetime)).contains(now.timeIntervalSince($0)) }
    }

    /// Whether one more would go round in a circle, if none of them left a session.
    var areTooMany: Bool { times.count >= Self.limit }

    /// The cookie that counts one more.
    func cookie(adding time: Date, sealer: ServerKeys) throws(StoreError) -> SetCookie {
        let kept = (times + [time]).suffix(Self.limit)
        let text = kept.map { String(Int64($0.timeIntervalSince1970 * 1000)) }.joined(separator: "\n")
        let value = try sealer.seal([UInt8](text.utf8), purpose: Self.purpose)
        return SetCookie(Self.cookieName, value: value, maxAge: Self.lifetime)
    }
}
