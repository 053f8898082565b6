import HTTP
import OpenID
import Sessions
import Settings

import struct FoundationEssentials.Date

/// A sign-in under way, which the browser stores in the sealed sign-in cookie.
struct PendingSignIn: Sendable, Equatable {
    /// Seconds after which a sign-in can no longer be completed.
    static let lifetime = 600
    /// Seconds by which the clock of another machine may be ahead.
    private static let clockSkew = 60.0

    /// A provider that a file adds, and the address at which it sends the browser back.
    struct Added: Sendable, Equatable {
        let id: ProviderID
        let redirectURI: String
    }

    /// Contains the random part of the `CarriedState` as its state.
    let attempt: AuthorizationRequest
    /// The provider to which the browser was sent; an answer of another provider is rejected (RFC 9700 §4.4).
    let issuer: String
    /// Nil for the home page or the return path in the state.
    var returnPath: ReturnPath?
    let started: Date
    /// Opens the kept form of this sign-in, if there is one.
    var kept: Ticket?
    /// The scopes that the member is asked for; the settings may name others when the sign-in ends.
    var scopes: [String] = []
    /// Nil for the provider of the settings file, as in each cookie of a version with only one provider.
    var added: Added?

    var expires: Date { Self.expiry(of: started) }

    func isCurrent(_ now: Date) -> Bool {
        now < expires && started.timeIntervalSince(now) < Self.clockSkew
    }

    /// The time at which a sign-in expires.
    static func expiry(of started: Date) -> Date { started.addingTimeInterval(Double(lifetime)) }

    /// One value per line, the time in milliseconds; no value can contain a line break.
    var bytes: [UInt8] {
        let lines =
            [
                String(Int64(started.timeIntervalSince1970 * 1000)), attempt.state, attempt.nonce ?? "",
                attempt.codeVerifier ?? "", issuer, returnPath?.text ?? "", kept?.cookieValue ?? "",
                scopes.joined(separator: " "),
            ] + (added.map { [$0.id.description, $0.redirectURI] } ?? [])
        return [UInt8](lines.joined(separator: "\n").utf8)
    }
}

extension PendingSignIn {
    init?(bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // An earlier version of the program wrote no scopes.
        guard [7, 8, 10].contains(lines.count), let started = Int64(lines[0]) else { return nil }
        attempt = AuthorizationRequest(
            state: lines[1],
            nonce: lines[2].isEmpty ? nil : lines[2],
            codeVerifier: lines[3].isEmpty ? nil : lines[3]
        )
        issuer = lines[4]
        returnPath = ReturnPath(lines[5])
        kept = Ticket(cookieValue: lines[6])
        scopes = lines.count > 7 ? lines[7].split(separator: " ").map(String.init) : []
        if lines.count == 10 {
            guard let id = ProviderID(lines[8]) else { return nil }
            added = Added(id: id, redirectURI: lines[9])
        }
        self.started = Date(timeIntervalSince1970: Double(started) / 1000)
    }
}

/// The sign-ins that one browser has under way; each has its own cookie, so that tabs do not collide.
struct PendingSignIns {
    private static let purpose = "signin"
    private static let prefix = "signin-"
    /// The number of tabs that a restored browser may open simultaneously.
    private static let maximumCount = 12
    /// The limit for all their cookies together in bytes; browsers and servers allow 8 KiB for a whole `Cookie` line.
    private static let maximumSize = 4096
    /// The maximum number of cookies that one response deletes, so that its header stays small.
    private static let maximumDeletions = 6
    /// Seconds; longer than a sign-in lasts, to distinguish an expired sign-in from a blocked cookie.
    private static let cookieLifetime = 3600

    private struct Entry {
        let name: String
        let size: Int
        let pending: PendingSignIn
    }

    /// The oldest first.
    private var entries: [Entry] = []
    /// Names of cookies that are not valid.
    private var stale: [String] = []

    init(_ cookies: Cookies, sealer: ServerKeys) {
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

    /// The sign-in of a state, current or not; nil if this browser did not start it.
    func find(_ state: CarriedState) -> PendingSignIn? {
        entries.first { ConstantTime.equal(state.random, $0.pending.attempt.state) }?.pending
    }

    /// The cookies that add a sign-in and make room for it: invalid cookies are deleted first, then the oldest.
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
        // Part of the state names the cookie; `find` compares the whole state, which is sealed in the value.
        prefix + state.prefix(8)
    }

    private static func cookieName(_ state: String) -> String {
        "__Host-" + suffix(state)
    }
}
