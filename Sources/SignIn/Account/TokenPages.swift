import EventLog
import HTTP
import Pages
import Provider
import Sessions
import Settings

import struct FoundationEssentials.Date

/// `/tokens`: shows, makes and revokes the personal tokens of a member.
final class TokenPages: SiteFeature {
    let context: SiteContext
    /// The longest life of a token in seconds.
    private let maximum: Int

    /// Nil if the site makes no tokens.
    init?(_ context: SiteContext, maximumLife: Int?) {
        guard let maximumLife else { return nil }
        (self.context, maximum) = (context, maximumLife)
    }

    /// Seconds after a sign-in in which a member can make tokens: a stolen session cookie must not become a token later.
    private static let tokenSignInAge = 3_600.0

    /// Answers `GET /tokens`: the member's personal tokens, and the form that makes one.
    func show(_ request: Request) async throws -> Response {
        guard let session = try await session(of: request)?.session, providers.provider(of: session) != nil else {
            return try answers.demandSignIn(request, for: .tokens)
        }
        var page = try await page(of: session)
        guard request.method == .get, let made = newToken(of: request), page.holds(made) else {
            return try answers.page(.tokens(page), for: request)
        }
        page.made = made.text
        var response = try answers.page(.tokens(page), for: request)
        try response.set([.deleting(Self.newTokenCookieName)])
        return response
    }

    /// The cookie with a token that was just made, sealed, for the page that shows it.
    static let newTokenCookieName = "new-token"
    /// Seconds in which the browser has to load that page.
    private static let newTokenLifetime = 60

    /// The token that the browser has just made and not yet seen.
    private func newToken(of request: Request) -> PersonalToken? {
        guard case .one(let sealed) = request.cookies[SetCookie.prefix + Self.newTokenCookieName],
            let bytes = sealer.open(sealed, purpose: Self.newTokenCookieName)
        else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard parts.count == 2, let made = Self.time(parts[0]),
            now() < made.addingTimeInterval(Double(Self.newTokenLifetime))
        else { return nil }
        return PersonalToken(parts[1])
    }

    /// Answers `POST /tokens`: makes a token and leads to the page that shows it once, or revokes one.
    func change(_ request: Request) async throws -> Response {
        guard let (ticket, session) = try await session(of: request) else {
            return try answers.demandSignIn(request, for: .tokens)
        }
        let form = FormData(body: request.body) ?? FormData()
        guard !isOfOtherMember(form, than: session) else { return try answers.problem(.accountChanged, for: request) }
        guard case .one(let digits) = form["revoke"] else {
            guard providers.provider(of: session) != nil else {
                return try answers.demandSignIn(request, for: .tokens)
            }
            return try await makeToken(form, of: session, ticket, request)
        }
        if let id = PersonalTokenID(digits: digits) {
            let member = session.identity.member
            let count = try await store.tokens.revokeTokens([id], of: member)
            guard count > 0 else { return try answers.redirect(to: mount.path("/tokens")) }
            let fields = [("token", id.description), ("tokens", String(count))] as [LogEvent.Field]
            log(LogEvent(.info, .personalTokenRevoked, of: request, member: member, fields: fields))
        }
        return try answers.redirect(to: mount.path("/tokens"))
    }

    private func makeToken(
        _ form: FormData,
        of session: Session,
        _ ticket: Ticket,
        _ request: Request
    ) async throws -> Response {
        var page = try await page(of: session)
        // The page says that the member has to sign in again.
        guard page.wish != nil else { return try answers.page(.tokens(page), status: .forbidden, for: request) }
        let (name, locations, days) = (form.text("name"), form.text("locations"), form.text("days"))
        page.wish = try wish(name: name, locations: locations, days: days)
        let wanted: WantedToken
        do throws(WantedToken.Fault) {
            wanted = try WantedToken(
                name: name,
                locations: locations.split(separator: " ").map(String.init),
                life: Int(days).map { 1...365 ~= $0 ? $0 * 86_400 : 0 } ?? 0,
                maximumLife: maximum
            )
        } catch {
            page.fault = TokensPage.Fault(error)
            return try answers.page(.tokens(page), status: .badRequest, for: request)
        }
        switch try await useForm(form.text("form"), request) {
        case .spent: break
        // The first of two requests made the token.
        case .usedBefore: return try answers.redirect(to: mount.path("/tokens"))
        case .full, .shareTaken: return try answers.problem(.tooManyRequests, for: request)
        case nil:
            page.fault = .form
            return try answers.page(.tokens(page), status: .badRequest, for: request)
        }
        // The member as of the last sign-in if the member owns tokens, under the issuer of those tokens.
        let owner = try await store.tokens.tokenOwner(session.identity.member) ?? session.identity
        let grant = wanted.grant(to: owner, now: now())
        guard let token = try await store.tokens.makeToken(grant, owner: owner) else {
            page.fault = page.tokens.count < TokenLimits.owned ? .storeFull : .full
            return try answers.page(.tokens(page), status: .conflict, for: request)
        }
        guard try await isLasting(ticket, orRevoke: token, of: owner) else {
            return try answers.demandSignIn(request, for: .tokens)
        }
        let (id, member) = (PersonalTokenSeal(token).id.description, session.identity.member)
        log(LogEvent(.info, .personalTokenMade, of: request, member: member, fields: [("token", id)]))
        var response = try answers.redirect(to: mount.path("/tokens"))
        let sealed = try seal("\(seconds)\n\(token.text)", purpose: Self.newTokenCookieName)
        try response.set([SetCookie(Self.newTokenCookieName, value: sealed, maxAge: Self.newTokenLifetime)])
        return response
    }

    private func seal(_ text: String, purpose: String) throws(StoreError) -> String {
        try sealer.seal([UInt8](text.utf8), purpose: purpose)
    }

    /// The current time in seconds, as a sealed value contains it; `time` reads it.
    private var seconds: Int64 { Int64(now().timeIntervalSince1970) }

    private static func time(_ seconds: some StringProtocol) -> Date? {
        Int64(seconds).map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// The purpose of the sealed value that makes the form of a token work once.
    private static let formPurpose = "token-form"

    /// What the form contains when it is shown.
    ///
    /// The ID of the form is the sealed time: each sealed value differs.
    private func wish(name: String = "", locations: String = "", days: String) throws(StoreError) -> TokensPage.Wish {
        let formID = try seal(String(seconds), purpose: Self.formPurpose)
        return TokensPage.Wish(name: name, locations: locations, days: days, formID: formID)
    }

    /// Marks a form as used, so that a reload or a double click makes one token; nil for a form that is too old or that this
    /// program did not make.
    private func useForm(_ id: String, _ request: Request) async throws(StoreError) -> SpendOutcome? {
        guard let bytes = sealer.open(id, purpose: Self.formPurpose),
            let made = Self.time(String(decoding: bytes, as: UTF8.self))
        else { return nil }
        let expires = made.addingTimeInterval(Self.tokenSignInAge)
        guard now() < expires else { return nil }
        return try await store.states.spend(id, from: request.client.number, expires: expires, now: now())
    }

    /// Whether the session exists after it made a token; otherwise the token is revoked.
    ///
    /// The member may have deleted everything in another browser meanwhile. An update reads what is stored, also if this
    /// process remembers the session.
    private func isLasting(
        _ ticket: Ticket,
        orRevoke token: PersonalToken,
        of owner: Identity
    ) async throws -> Bool {
        let result: Result<Session?, any Error>
        do {
            result = .success(try await store.sessions.update(ticket, now: now()) { _ in })
        } catch {
            result = .failure(error)
        }
        if case .success(.some) = result { return true }
        _ = try await store.tokens.revokeTokens([PersonalTokenSeal(token).id], of: owner.member)
        return try result.get() != nil
    }

    private func page(of session: Session) async throws(StoreError) -> TokensPage {
        let now = now()
        let listed = try await store.tokens.tokens(of: session.identity.member, now: now)
        let tokens =
            listed.sorted { ($0.grant.created, $0.id) > ($1.grant.created, $1.id) }
            .map { token in
                TokensPage.Token(
                    id: token.id.description,
                    name: token.grant.name,
                    locations: token.grant.locations.joined(separator: " "),
                    ending: token.grant.ending,
                    created: Day(token.grant.created),
                    ends: Day(token.grant.expires),
                    used: token.used.map(Day.init)
                )
            }
        let isRecent = abs(now.timeIntervalSince(session.created)) < Self.tokenSignInAge
        let maximumDays = maximum / 86_400
        let wish = isRecent ? try wish(days: String(min(30, maximumDays))) : nil
        let member = SignedInMember(session, now: now)
        return TokensPage(member: member, tokens: tokens, wish: wish, maximumDays: maximumDays)
    }
}

extension TokensPage.Fault {
    fileprivate init(_ fault: WantedToken.Fault) {
        self =
            switch fault {
            case .name: .name
            case .locations: .locations
            case .path(let path): .path(path)
            case .life: .days
            }
    }
}

extension FormData {
    /// The value of a field without spaces around it; empty if the field is missing or repeated.
    fileprivate func text(_ name: String) -> String {
        guard case .one(let text) = self[name] else { return "" }
        let start = text.firstIndex { $0 != " " } ?? text.endIndex
        let end = text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? start
        return String(text[start..<end])
    }
}

extension TokensPage {
    /// Whether a token is one of the member's.
    fileprivate func holds(_ token: PersonalToken) -> Bool {
        let id = PersonalTokenSeal(token).id.description
        return tokens.contains { $0.id == id }
    }
}
