import Pages
import Provider
import Sessions

import struct FoundationEssentials.Date

extension HomePage {
    /// The home page of a visitor, with the profile link if it was fetched before.
    init(_ session: Session?, sessions: Int? = nil, source: any ProfileSource, offersTokens: Bool = false, now: Date) {
        self.init(
            signedIn: session.map { SignedInMember($0, now: now) },
            sessions: sessions,
            profileURL: session?.profile.flatMap { try? $0.profile() }?.profileURL,
            offersLink: source.offersLink,
            offersTokens: offersTokens
        )
    }
}

extension SignedInMember {
    /// The member of a session, as the newest profile describes them.
    init(_ session: Session, now: Date) {
        let profile = session.profile.flatMap { try? $0.profile() }
        self.init(
            name: profile?.name ?? session.identity.name,
            email: profile?.email ?? session.identity.email,
            pictureURL: profile?.picture(at: now),
            id: session.identity.uniqueSubject
        )
    }
}

extension ProfilePage {
    init(_ cached: CachedProfile, source: any ProfileSource, now: Date) throws {
        let profile = try cached.profile()
        self.init(
            member: SignedInMember(name: profile.name, email: profile.email, pictureURL: profile.picture(at: now)),
            locale: profile.locale,
            profileURL: profile.profileURL,
            fetchedAgo: cached.age(at: now),
            offersLink: source.offersLink
        )
    }
}
