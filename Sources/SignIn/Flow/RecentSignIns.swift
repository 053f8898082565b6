import HTTP
import Sessions

import struct FoundationEssentials.Date

/// The sign-ins that one browser completed within the last minute, which it stores in a sealed cookie.
///
/// A browser that loses its session cookie after each sign-in would repeat sign-ins forever. A second cookie counts
/// them, because the session cookie is the one that is missing.
struct RecentSignIns {
    static let cookieName = "recent-signins"
    /// Seconds that a sign-in counts.
    private static let lifetime = 60
    private static let purpose = "recent"
    /// A person does not complete this many sign-ins within the lifetime.
    private static let limit = 3

    private let times: [Date]

    init(_ cookies: Cookies, sealer: ServerKeys, now: Date) {
        guard case .one(let value) = cookies[SetCookie.prefix + Self.cookieName],
            let bytes = sealer.open(value, purpose: Self.purpose)
        else {
            times = []
            return
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        times = lines.compactMap { Int64($0) }.map { Date(timeIntervalSince1970: Double($0) / 1000) }
            .filter { (0..<Double(Self.lifetime)).contains(now.timeIntervalSince($0)) }
    }

    /// Whether one more sign-in would be a loop, if none of them left a session.
    var areTooMany: Bool { times.count >= Self.limit }

    /// The cookie that counts one more sign-in.
    func cookie(adding time: Date, sealer: ServerKeys) throws(StoreError) -> SetCookie {
        let kept = (times + [time]).suffix(Self.limit)
        let text = kept.map { String(Int64($0.timeIntervalSince1970 * 1000)) }.joined(separator: "\n")
        let value = try sealer.seal([UInt8](text.utf8), purpose: Self.purpose)
        return SetCookie(Self.cookieName, value: value, maxAge: Self.lifetime)
    }
}
