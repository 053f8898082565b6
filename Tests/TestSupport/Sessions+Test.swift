package import Sessions

package import struct Foundation.Date

extension Session {
    /// A member who signed in at `testStart` for a day, unless the test passes other values.
    package static func example(
        provider: ProviderID = .linkedIn,
        issuer: String = "https://www.linkedin.com/oauth",
        subject: String = "782bbtaQ",
        created: Date = .testStart,
        expires: Date = .testStart.addingTimeInterval(86_400),
        tokens: Tokens? = Tokens(accessToken: "access-canary", accessTokenExpires: .testStart, refreshToken: "refresh"),
        profile: CachedProfile? = CachedProfile(content: Array("profile-canary".utf8), fetched: .testStart)
    ) -> Session {
        Session(
            identity: Identity(
                provider: provider,
                issuer: issuer,
                subject: subject,
                name: "Zoë 李",
                email: "zoe@example.com",
                emailVerified: true
            ),
            created: created,
            expires: expires,
            tokens: tokens,
            profile: profile
        )
    }
}

extension FormerIssuers {
    /// LinkedIn's two issuers.
    package static let test = FormerIssuers(["https://www.linkedin.com/oauth", "https://www.linkedin.com"])
}

extension Date {
    /// The current time of a test: 2026-01-01.
    package static let testStart = Date(timeIntervalSince1970: 1_767_225_600.125)
}

extension SpentStateVault {
    /// Marks a state as used by the only client of a test; false if it was used before.
    package func spend(_ state: String, expires: Date) async throws(StoreError) -> Bool {
        switch try await spend(state, from: 0, expires: expires, now: .testStart) {
        case .spent: true
        case .usedBefore: false
        case .full, .shareTaken: throw StoreError(.full, detail: "the test has no marks left")
        }
    }
}

extension Records {
    /// The sessions in this place, with an idle limit of an hour.
    package var sessions: SessionVault { SessionVault(in: self, idleLimit: .seconds(3_600)) }
}
