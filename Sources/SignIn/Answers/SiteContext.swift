import EventLog
import HTTP
import Provider
import Sessions
import Settings

import struct FoundationEssentials.Date

/// What the features of a site share.
struct SiteContext: Sendable {
    let mount: Mount
    let providers: Providers
    let store: Vault
    /// Seals cookies and states.
    let sealer: ServerKeys
    let answers: Answers
    let log: Log
    let emailField: EmailField
    let now: @Sendable () -> Date
}

/// A feature of the site: endpoints, and the private state that only they use.
protocol SiteFeature: Sendable {
    var context: SiteContext { get }
}

extension SiteFeature {
    var mount: Mount { context.mount }
    var providers: Providers { context.providers }
    var store: Vault { context.store }
    var sealer: ServerKeys { context.sealer }
    var answers: Answers { context.answers }
    var log: Log { context.log }
    var emailField: EmailField { context.emailField }

    func now() -> Date { context.now() }

    /// The live session of a request.
    ///
    /// - Throws: `StoreError` if the store cannot read the session.
    func session(of request: Request) async throws(StoreError) -> (ticket: Ticket, session: Session)? {
        guard let ticket = SessionCookie.ticket(of: request),
            let session = try await store.sessions.session(for: ticket, now: now())
        else { return nil }
        return (ticket, session)
    }

    /// The live session of a request that ends all sessions of the member.
    ///
    /// Without a session, waits until the store has confirmed its removal: another request may have removed the session, and may
    /// still wait for a standby of the database.
    ///
    /// - Throws: `StoreError` if the store cannot read the session, or does not confirm that it is removed.
    func sessionToEnd(of request: Request) async throws(StoreError) -> Session? {
        if let session = try await session(of: request)?.session { return session }
        if let ticket = SessionCookie.ticket(of: request) { try await store.sessions.remove(ticket) }
        return nil
    }

    /// Whether the page of a form named another member, because another tab has changed the account meanwhile.
    ///
    /// Each form that acts on a member has the field `member`. A form of another member has no effect, and its response says so:
    /// a visitor who only saw the same form again would send it for the other account.
    func isOfOtherMember(_ form: FormData?, than session: Session) -> Bool {
        guard case .one(let id) = form?["member"] else { return false }
        return id != session.identity.uniqueSubject
    }
}
