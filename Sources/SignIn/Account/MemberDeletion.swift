import EventLog
import HTTP
import Pages
import Provider
import Sessions
import Settings

/// `/forget`: deletes everything that is stored about a member.
final class MemberDeletion: SiteFeature {
    let context: SiteContext
    private let forms: KeptFormPaths
    private let keepsForms: Bool
    private let offersTokens: Bool

    init(_ context: SiteContext, forms: KeptFormPaths, keepsForms: Bool, offersTokens: Bool) {
        (self.context, self.forms, self.keepsForms, self.offersTokens) = (context, forms, keepsForms, offersTokens)
    }

    /// Answers `GET /forget`: asks a member whether to delete everything that is stored about them, and tells a visitor what a
    /// deletion in this browser has removed.
    func ask(_ request: Request) async throws -> Response {
        if let session = try await session(of: request)?.session {
            return try answers.naming(session.identity.provider).page(
                .forget(SignedInMember(session, now: now()), deletesTokens: offersTokens),
                for: request
            )
        }
        guard case .data(let sessions, let tokens) = LastEnding(request.cookies) else {
            return try answers.demandSignIn(request, for: .forget)
        }
        // The session has ended, so only the browser knows its provider.
        return try answers.naming(LastProvider.id(request.cookies)).page(
            .forgotten(sessions: sessions, tokens: tokens),
            for: request
        )
    }

    /// Answers `POST /forget`: ends all sessions of the member, in all browsers, and deletes the cookies of this one.
    ///
    /// Leads to a page that says so, where a reload deletes nothing.
    func delete(_ request: Request) async throws -> Response {
        let ended: Session?
        do throws(StoreError) {
            ended = try await sessionToEnd(of: request)
        } catch {
            return try deletionUnfinished(error, LastProvider.id(request.cookies), request)
        }
        guard let session = ended else { return try answers.demandSignIn(request, for: .forget) }
        let form = FormData(body: request.body)
        guard !isOfOtherMember(form, than: session) else { return try answers.problem(.accountChanged, for: request) }
        let member = session.identity.member
        var (count, tokens) = (0, 0)
        do throws(StoreError) {
            // First: while a session exists, the member can try again.
            tokens = try await store.tokens.revokeAllTokens(of: member)
            count = try await store.sessions.remove(.all(of: member))
            // Another browser may have made a token meanwhile, with a session that has ended now.
            tokens += try await store.tokens.revokeAllTokens(of: member)
        } catch {
            return try deletionUnfinished(error, member.provider, of: member, request)
        }
        await discardKeptForms(of: request)
        let fields = [("sessions", String(count)), ("tokens", String(tokens))] as [LogEvent.Field]
        log(LogEvent(.info, .dataDeleted, of: request, member: member, fields: fields))
        providers.revokeTokens(of: session, sealed: count - 1, for: request)
        return try answers.redirect(to: mount.path("/forget"))
            .signedOut(request, forms.cookies(of: request).endings(), after: .data(sessions: count, tokens: tokens))
    }

    /// Logs an error of the store, and makes the page about it, which keeps the session cookie: if the session still exists, the
    /// member can try again.
    private func deletionUnfinished(
        _ error: StoreError,
        _ provider: ProviderID?,
        of member: Member? = nil,
        _ request: Request
    ) throws -> Response {
        log(LogEvent(error, of: request, member: member))
        return try answers.naming(provider).problem(.deletionUnfinished, for: request)
    }

    /// Removes the forms that this browser's cookies open; forms of other browsers have no owner and expire.
    private func discardKeptForms(of request: Request) async {
        guard keepsForms else { return }
        let cookies = forms.cookies(of: request)
        for label in cookies.labels {
            guard case .kept(let ticket) = cookies.find(label),
                let taken = try? await store.forms.take(ticket, now: now())
            else { continue }
            store.forms.discard(taken)
        }
    }
}
