import HTTP

import struct FoundationEssentials.Date

/// A provider's signing keys; fetched when needed, and kept while the provider fails (OpenID Connect Core §10.1.1).
///
/// Keys are fetched again when they are an hour old, so that withdrawn keys are removed, and when no current key verifies a
/// token. Both happen at most once a minute, whether the fetch succeeds or not, so that forged tokens do not flood the
/// provider. Logout tokens have a minute of their own, because anyone can send a forged one: it must not delay the keys of
/// sign-ins. The first fetch for an ID token is neither delayed nor counted: without keys nobody can sign in, and a provider
/// may change its keys at any moment.
///
/// Only a token that no known key verifies waits for a fetch. Old keys stay in use meanwhile, so that a provider whose key
/// set hangs delays no sign-in.
actor KeySet {
    struct Snapshot: Sendable {
        /// The number of successful fetches so far.
        fileprivate let generation: Int
        let keys: [VerificationKey]
    }

    /// The kind of token that no known key verifies.
    enum Cause: Sendable {
        case idToken
        case logoutToken
    }

    private static let refreshAfter = 3600.0
    private static let pauseBetweenRenewals = 60.0

    private let address: String?
    private let transport: any Transport
    private let now: @Sendable () -> Date
    private var current: Snapshot?
    private var lastSuccess = Date.distantPast
    private var lastRenewals: [Cause: Date] = [:]
    private typealias Fetch = Task<Result<Snapshot, OpenIDError>, Never>
    private var fetch: Fetch?
    /// The key set of the same address whose keys this one takes over; nil once it has.
    private var predecessor: KeySet?

    init(
        address: String?,
        transport: any Transport,
        now: @escaping @Sendable () -> Date,
        continuing predecessor: KeySet? = nil
    ) {
        self.address = address
        self.transport = transport
        self.now = now
        self.predecessor = predecessor?.address == address ? predecessor : nil
    }

    /// Takes over what the predecessor knows.
    func continuePredecessor() async {
        guard let old = predecessor else { return }
        let (keys, success, renewals) = await old.known
        // Another caller may have done it meanwhile.
        guard predecessor != nil else { return }
        predecessor = nil
        if current == nil { (current, lastSuccess, lastRenewals) = (keys, success, renewals) }
    }

    private var known: (Snapshot?, lastSuccess: Date, lastRenewals: [Cause: Date]) {
        get async {
            await continuePredecessor()
            return (current, lastSuccess, lastRenewals)
        }
    }

    /// Whether there are keys, also old ones.
    var isKnown: Bool {
        get async {
            await continuePredecessor()
            return current != nil
        }
    }

    /// The current keys; if they are an hour old, a fetch begins that nobody waits for.
    ///
    /// - Throws: `keysUnavailable` or `busy` if no fetch has succeeded yet.
    func snapshot(for cause: Cause) async throws(OpenIDError) -> Snapshot {
        await renewIfOld()
        if let current { return current }
        switch cause {
        case .idToken: return try await fetching().value.get()
        case .logoutToken:
            guard let fetch = renewal(for: cause) else {
                throw OpenIDError(.keysUnavailable, detail: "the program fetches the keys at most once a minute")
            }
            let first = try await fetch.value.get()
            // The token may need newer keys than these.
            lastRenewals[cause] = nil
            return first
        }
    }

    /// Begins to fetch keys that are an hour old; does nothing without keys.
    func renewIfOld() async {
        await continuePredecessor()
        guard current != nil else { return }
        let age = now().timeIntervalSince(lastSuccess)
        if !(0..<Self.refreshAfter).contains(age) { _ = renewal(for: .idToken) }
    }

    /// Keys fetched after `old`; nil if the fetch fails, or if it is too early for another one.
    func newer(than old: Snapshot, for cause: Cause) async -> Snapshot? {
        if let current, current.generation > old.generation { return current }
        return try? await renewal(for: cause)?.value.get()
    }

    /// The fetch under way, or a new one; nil if it is too early for another one.
    private func renewal(for cause: Cause) -> Fetch? {
        if let fetch { return fetch }
        let sinceLast = now().timeIntervalSince(lastRenewals[cause] ?? .distantPast)
        guard sinceLast >= Self.pauseBetweenRenewals else {
            // If the clock was set back, wait a minute from now, not until the clock has caught up.
            if sinceLast < 0 { lastRenewals[cause] = now() }
            return nil
        }
        lastRenewals[cause] = now()
        return fetching()
    }

    private func fetching() -> Fetch {
        if let fetch { return fetch }
        let task = Task { await request() }
        fetch = task
        return task
    }

    private func request() async -> Result<Snapshot, OpenIDError> {
        defer { fetch = nil }
        do {
            let snapshot = Snapshot(generation: (current?.generation ?? 0) + 1, keys: try await download())
            current = snapshot
            lastSuccess = now()
            return .success(snapshot)
        } catch {
            return .failure(error)
        }
    }

    private func download() async throws(OpenIDError) -> [VerificationKey] {
        guard let address else { throw OpenIDError(.keysUnavailable, detail: "no key set is configured") }
        let request = ClientRequest(.get, address)
        let response = try await transport.send(request, or: .keysUnavailable, malformed: .keysUnavailable)
        guard response.status == 200 else {
            throw OpenIDError(.keysUnavailable, detail: "HTTP \(response.status)")
        }
        let keys = usableKeys(in: JSON(parsing: response.body)?["keys"]?.arrayValue ?? [])
        // A set without a usable key is a fault of the provider: it does not replace the current keys.
        guard !keys.isEmpty else { throw OpenIDError(.keysUnavailable, detail: "the key set contains no usable key") }
        return keys
    }

    /// The usable keys of a set; in place of a damaged key, the current key with the same identifier.
    private func usableKeys(in set: [JSON]) -> [VerificationKey] {
        var keys: [VerificationKey] = []
        var damaged: Set<String> = []
        for jwk in set {
            if let key = VerificationKey(jwk) {
                keys.append(key)
            } else if let name = jwk["kid"]?.stringValue {
                damaged.insert(name)
            }
        }
        guard !keys.isEmpty else { return [] }
        damaged.subtract(keys.compactMap(\.identifier))
        return keys + (current?.keys ?? []).filter { damaged.contains($0.identifier ?? "") }
    }
}
