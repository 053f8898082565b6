import HTTP
import OpenID
import Sessions

import struct FoundationEssentials.Date

/// The sign-ins that one browser has under way: one cookie each, so that tabs do not collide.
struct PendingSignIns {
    private static let purpose = "signin"
    private static let prefix = "signin-"
    /// As many tabs as a restored browser may open at once.
    private static let maximumCount = 12
    /// Bytes that all their cookies together stay under; browsers and servers allow 8 KiB for a whole `Cookie` line.
    private static let maximumSize = 4096
    /// Cookies that one answer deletes, so that its header stays small.
    private static let maximumDeletions = 6
    /// Seconds: longer than a sign-in lasts, so that one that took too long is told from one whose cookie was blocked.
    private static let cookieLifetime = 3600

    private struct Entry {
        let name: String
        let size: Int
        let pending: PendingSignIn
    }

    /// The oldest first.
    private var entries: [Entry] = []
    /// Names of cookies that nothing can be made of any more.
    private var stale: [String] = []

    init(_ cookies: Cookies, sealer: ServerKeys, now: Date) {
        for name in cookies.names(withPrefix: "__Host-" + Self.prefix).prefix(64) {
            if case .one(let value) = cookies[name], let bytes = sealer.open(value, purpose: Self.purpose),
                let pending = PendingSignIn(bytes: bytes), Self.cookieName(pending.attempt.state) == name
            {
                entries.append(Entry(name: name, size: name.utf8.count + value.utf8.count, pending: pending))
            } else {
                stale.append(name)
            }
        }
        entries.sort { $0.pending.started < $1.pending.started }
    }

    /// The sign-in that a state belongs to, current or not; nil if this browser did not begin it.
    func find(_ state: CarriedState) -> PendingSignIn? {
        entries.first { ConstantTime.equal(state.random, $0.pending.attempt.state) }?.pending
    }

    /// The cookies that add a sign-in and make room for it: stale ones go, then the oldest.
    func cookies(adding pending: PendingSignIn, sealer: ServerKeys) throws -> [SetCookie] {
        let added = SetCookie(
            Self.suffix(pending.attempt.state),
            value: try sealer.seal(pending.bytes, purpose: Self.purpose),
            maxAge: Self.cookieLifetime
        )
        var dropped = stale
        var kept = entries
        var size = kept.reduce(added.name.utf8.count + added.value.utf8.count) { $0 + $1.size }
        while let oldest = kept.first, kept.count >= Self.maximumCount || size >= Self.maximumSize {
            dropped.append(oldest.name)
            size -= oldest.size
            kept.removeFirst()
        }
        return [added] + dropped.prefix(Self.maximumDeletions).map(Self.deletion)
    }

    /// The cookie that ends a sign-in.
    static func deletion(of pending: PendingSignIn) -> SetCookie {
        .deleting(suffix(pending.attempt.state))
    }

    private static func deletion(_ name: String) -> SetCookie {
        .deleting(String(name.dropFirst("__Host-".count)))
    }

    private static func suffix(_ state: String) -> String {
        // Part of the state names the cookie; the rest, and the sealed whole, is what must match.
        prefix + state.prefix(8)
    }

    private static func cookieName(_ state: String) -> String {
        "__Host-" + suffix(state)
    }
}
