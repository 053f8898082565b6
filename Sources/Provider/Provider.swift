package import EventLog
package import HTTP
package import OpenID
package import Sessions

/// A provider at which members sign in: what differs from other providers, and the limits of calls to it.
package final class Provider: Sendable {
    /// The ID of the provider in the identities of its members; it stays when the provider's issuer changes.
    package let id: ProviderID
    /// Speaks the protocol; its options have the accepted issuers, the canonical one first.
    package let client: OpenIDClient
    package let profiles: any ProfileSource
    /// The calls of sign-ins and for profiles.
    package let calls: ConcurrencyLimit
    /// The logout tokens whose check may wait for keys: anyone can send one, so none holds a call of a sign-in.
    package let logouts: ConcurrencyLimit
    /// The failures that hold back calls for profiles.
    package let held: HeldCalls
    package let revocations: Revocations
    /// The claims that sessions keep for rules and applications.
    package let keptClaims: KeptClaimNames
    /// Whether rules and applications trust an e-mail address that the provider says is verified.
    package let trustsEmail: Bool

    /// - Parameters:
    ///   - id: The ID of the provider.
    ///   - client: Speaks the protocol.
    ///   - profiles: Reads the profiles of members.
    ///   - keptClaims: The claims that sessions keep for rules and applications.
    ///   - trustsEmail: Whether rules and applications trust an e-mail address that the provider says is verified.
    ///   - concurrentCalls: The maximum number of concurrent calls of sign-ins and for profiles.
    ///   - log: Receives the events of revocations.
    ///   - predecessor: The same provider with other settings, which may have calls under way.
    package init(
        id: ProviderID,
        client: OpenIDClient,
        profiles: any ProfileSource,
        keptClaims: KeptClaimNames = KeptClaimNames(),
        trustsEmail: Bool = true,
        concurrentCalls: Int,
        log: Log,
        continuing predecessor: Provider? = nil
    ) {
        self.id = id
        self.client = client
        self.profiles = profiles
        (self.keptClaims, self.trustsEmail) = (keptClaims, trustsEmail)
        if let known = predecessor?.calls, known.limit == concurrentCalls {
            calls = known
        } else {
            calls = ConcurrencyLimit(concurrentCalls)
        }
        logouts = predecessor?.logouts ?? ConcurrencyLimit(8)
        held = predecessor?.held ?? HeldCalls()
        revocations = Revocations(client: client, log: log, continuing: predecessor?.revocations)
    }

    /// Why nobody can sign in, if the discovery document of the provider was never fetched.
    package var undiscovered: OpenIDError? {
        guard !client.options.areKnown else { return nil }
        return OpenIDError(.discoveryUnavailable, detail: "there is no discovery document of \(issuer) yet")
    }

    /// The canonical issuer.
    package var issuer: String { client.options.issuers.first ?? "" }
}

/// The providers of a site, each with another ID.
package struct Providers: Sendable {
    /// The provider of the settings file.
    package let first: Provider
    private let others: [Provider]

    package init(_ first: Provider, _ others: some Sequence<Provider> = []) {
        (self.first, self.others) = (first, Array(others))
    }

    /// Whether visitors choose a provider.
    package var areSeveral: Bool { !others.isEmpty }

    /// All of them, the first one first.
    package var all: [Provider] { [first] + others }

    /// The provider with an ID; nil for a provider that the settings no longer have.
    package subscript(id: ProviderID) -> Provider? {
        first.id == id ? first : others.first { $0.id == id }
    }

    /// The provider with an ID; the first one without an ID, or if the settings no longer have the provider.
    package func named(_ id: ProviderID?) -> Provider { id.flatMap { self[$0] } ?? first }

    /// Whether rules and applications trust a verified e-mail address in an identity.
    package func trustEmail(of identity: Identity) -> Bool { self[identity.provider]?.trustsEmail ?? false }

    /// The provider of a session; nil if the session cannot be used for calls any more.
    package func provider(of session: Session) -> Provider? { self[session.identity.provider] }

    /// Begins to revoke the tokens of a session that has ended, at its provider; see `Revocations`.
    package func revokeTokens(of session: Session, sealed: Int = 0, for request: Request) {
        let member = session.identity.member
        provider(of: session)?.revocations.revoke(session.tokens, of: member, sealed: sealed, for: request)
    }
}
