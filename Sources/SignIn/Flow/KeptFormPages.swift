import EventLog
import Guard
import HTTP
import Pages
import Provider
import Sessions
import Settings

import struct FoundationEssentials.Date

/// Keeps forms that arrive without a session, shows them after the sign-in, and sends or discards them.
final class KeptFormPages: SiteFeature {
    let context: SiteContext
    private let gate: Gate
    private let forms: KeptFormPaths
    /// Nil if the site does not keep forms.
    private let keptForms: KeptForms?

    init(_ context: SiteContext, gate: Gate, forms: KeptFormPaths, keptForms: KeptForms?) {
        (self.context, self.gate, self.forms, self.keptForms) = (context, gate, forms, keptForms)
    }

    // MARK: - Keeping

    /// Why a form is not kept; the raw value is the log's reason code.
    private enum Objection: String {
        /// Another site's page sent the form, or its origin is unknown. It would be sent with the member's cookies.
        case crossSite = "cross-site"
        case contentType = "content-type"
        case tooLarge = "too-large"
        /// The address is not a valid return path.
        case address
        case storeFull = "store-full"
        case shareTaken = "store-share"
        case busy
    }

    /// The outcome for a request that may be a form.
    enum KeepOutcome {
        case kept(Ticket)
        /// This client has too many kept forms.
        case tooMany
        /// The request is not a form, or could not be kept.
        case notKept
    }

    /// Keeps the form of a request without a session.
    ///
    /// A failure loses the form but does not stop the sign-in.
    func keep(_ request: Request) async -> KeepOutcome {
        guard let keptForms, request.method == .post, RequestKind(request) == .navigation else { return .notKept }
        if let objection = objection(to: request, limit: keptForms.limit) {
            return notKept(objection.rawValue, request)
        }
        let kept = KeptForm(
            uri: request.uri,
            contentType: request.headers[.contentType] ?? "",
            referer: ownReferer(of: request),
            body: request.body
        )
        let now = now()
        let expires = now.addingTimeInterval(Double(PendingSignIn.lifetime))
        do {
            let client = request.client
            let outcome = try await keptForms.writes.run(for: client) {
                try await store.forms.keep(kept, from: client.number, expires: expires, now: now)
            }
            switch outcome {
            case .kept(let ticket):
                log(LogEvent(.info, .formKept, of: request, fields: [("bytes", String(request.body.count))]))
                return .kept(ticket)
            case .shareTaken:
                _ = notKept(Objection.shareTaken.rawValue, request)
                return .tooMany
            case .full: return notKept(Objection.storeFull.rawValue, request)
            }
        } catch {
            return notKept((error as? StoreError)?.reason ?? Objection.busy.rawValue, request)
        }
    }

    private func objection(to request: Request, limit: Int) -> Objection? {
        let type = request.mediaType
        if type != "application/x-www-form-urlencoded", type != "multipart/form-data" { return .contentType }
        if !mount.isFromThisOrigin(request) { return .crossSite }
        if request.isBodyOmitted || request.body.count > limit { return .tooLarge }
        return ReturnPath(request.uri) == nil ? .address : nil
    }

    private func notKept(_ reason: String, _ request: Request) -> KeepOutcome {
        let fields: [LogEvent.Field] = [("bytes", String(request.body.count))]
        log(LogEvent(.warning, .formNotKept, of: request, reason: reason, fields: fields))
        return .notKept
    }

    /// The referrer of a request if it is a page of this site; addresses of other sites are private.
    private func ownReferer(of request: Request) -> String? {
        guard let referer = request.headers[.referer], referer.utf8.count <= 4096,
            referer.hasPrefix(mount.origin + "/")
        else { return nil }
        return referer
    }

    // MARK: - The page of a form

    /// Answers `GET /resume`: the page that sends a kept form after the sign-in.
    ///
    /// It names the address and has a button, which a script presses if the browser runs scripts.
    func show(_ request: Request) async throws -> Response {
        guard keptForms != nil, case .one(let label)? = FormData(parsing: request.query)?["form"],
            KeptFormConfirmation.isLabel(label)
        else { return try answers.problem(.notFound, for: request) }
        switch forms.cookies(of: request).find(label) {
        case .none: return try answers.problem(.formGone, for: request)
        case .sent: return try answers.problem(.formSent, for: request)
        case .kept(let ticket):
            guard let session = try await gate.acceptedSession(of: request) else {
                return try answers.redirectToSignIn(returningTo: forms.path(label).text)
            }
            let kept: KeptForm?
            do throws(StoreError) {
                kept = try await store.forms.kept(ticket, now: now())
            } catch {
                guard error.code == .damaged else { throw error }
                return try sending(request, of: session).formDamaged(error, label: label)
            }
            guard let kept else { return try answers.problem(.formSent, for: request) }
            let confirmation = KeptFormConfirmation(ticket)
            let page = Page.resume(target: kept.uri, token: confirmation.value, label: label)
            return try answers.page(page, for: request)
        }
    }

    /// Answers `POST /resume`: removes a kept form that the member does not want to send, and goes to the home page.
    func discard(_ request: Request) async throws -> Response {
        guard keptForms != nil,
            case .one(let label)? = FormData(body: request.body)?["discard"],
            KeptFormConfirmation.isLabel(label)
        else { return try answers.problem(.notFound, for: request) }
        var response = try answers.redirect(to: nil as ReturnPath?)
        guard case .kept(let ticket) = forms.cookies(of: request).find(label) else { return response }
        do throws(StoreError) {
            if let taken = try await store.forms.take(ticket, now: now()) {
                store.forms.discard(taken)
                log(LogEvent(.info, .formDiscarded, of: request))
            }
        } catch {
            // The cookie is the only key to the form, which the sweeper removes later.
            log(LogEvent(error, while: .formDiscarded, of: request))
        }
        try response.set([KeptFormCookies.gone(label)])
        return response
    }

    /// Answers a POST to a guarded address that may confirm a kept form, and sends the kept form in its place.
    ///
    /// The browser gets the application's answer at the address of the form, as if it had sent the form itself.
    func send(_ request: Request, of session: CheckedSession?) async throws -> Response {
        let sending = sending(request, of: session)
        guard let confirmation = KeptFormConfirmation(body: request.body) else { return try await sending.passOn() }
        guard mount.isFromThisOrigin(request) else { return try sending.refuse(reason: "cross-site") }
        return try await sending.send(confirmation)
    }

    private func sending(_ request: Request, of session: CheckedSession?) -> KeptFormSending {
        KeptFormSending(
            context: context,
            forms: forms,
            keptForms: keptForms,
            request: request,
            member: session?.identity.member
        )
    }
}

/// One request that sends a form to the application.
private struct KeptFormSending: SiteFeature {
    let context: SiteContext
    let forms: KeptFormPaths
    /// Nil if the site does not keep forms.
    let keptForms: KeptForms?
    let request: Request
    let member: Member?

    func send(_ confirmation: KeptFormConfirmation) async throws -> Response {
        switch forms.cookies(of: request).find(confirmation.label) {
        case .none: return try answers.problem(.formGone, for: request)
        case .sent: return try answers.problem(.formSent, for: request)
        case .kept(let ticket):
            guard let keptForms, KeptFormConfirmation(ticket) == confirmation else {
                return try refuse(reason: "token")
            }
            let delivery = await keptForms.underWay.join(confirmation.value) { await deliver(ticket, keptForms) }
            return try answer(delivery, to: confirmation)
        }
    }

    func refuse(_ kind: Problem.Kind = .formRefused, reason: String) throws -> Response {
        log(LogEvent(.warning, .formRefused, of: request, reason: reason, member: member))
        return try answers.problem(kind, for: request)
    }

    /// The page for a form that the application did not answer.
    ///
    /// Each request has its own line in the log, because several requests can wait for one answer.
    private func fail(_ kind: Problem.Kind, _ error: TransportError, returnPath: ReturnPath? = nil) throws -> Response {
        let (reason, fields) = (error.code.rawValue, request.guardedPlace + [("detail", error.detail)])
        log(LogEvent(.error, .formFailed, of: request, reason: reason, member: member, fields: fields))
        return try answers.problem(kind, returnPath: returnPath, for: request)
    }

    /// Sends a text/plain form of the application, which looks like a confirmation until its body is read.
    func passOn() async throws -> Response {
        guard !request.isBodyOmitted else { return try answers.problem(.tooLarge, for: request) }
        guard let keptForms, ReturnPath(request.uri) != nil else { return try refuse(.badRequest, reason: "address") }
        let form = KeptForm(
            uri: request.uri,
            contentType: request.headers[.contentType] ?? "",
            referer: request.headers[.referer],
            body: request.body
        )
        return try answer(await send(form, isOwn: false, keptForms), to: nil)
    }

    /// Takes a form from the store and sends it; puts it back if it was certainly not sent.
    private func deliver(_ ticket: Ticket, _ keptForms: KeptForms) async -> KeptFormDelivery {
        do throws(StoreError) {
            guard let taken = try await store.forms.take(ticket, now: now()) else { return .gone }
            guard taken.form.uri == request.uri else {
                try await store.forms.putBack(taken)
                return .elsewhere
            }
            let delivery = await send(taken.form, isOwn: true, keptForms)
            if case .unsent = delivery {
                try await store.forms.putBack(taken)
            } else {
                store.forms.discard(taken)
            }
            return delivery
        } catch {
            return .storeFailed(error)
        }
    }

    private func send(_ form: KeptForm, isOwn: Bool, _ keptForms: KeptForms) async -> KeptFormDelivery {
        let outgoing: ClientRequest
        do throws(InvalidHeaderValue) {
            outgoing = try KeptFormRequest.make(form, to: mount.origin, as: request, isOwn: isOwn)
        } catch {
            return .unsent(TransportError(.refusedURL, detail: "a header field that cannot be sent"))
        }
        do throws(TransportError) {
            let answer = try await keptForms.transport.send(outgoing)
            let fields =
                request.guardedPlace + [
                    ("status", String(answer.status)), ("bytes", String(form.body.count)),
                ]
            log(LogEvent(.info, .formReplayed, of: request, member: member, fields: fields))
            return .answered(answer)
        } catch {
            return error.isUnsent ? .unsent(error) : .unanswered(error)
        }
    }

    private func answer(_ delivery: KeptFormDelivery, to confirmation: KeptFormConfirmation?) throws -> Response {
        var response: Response
        switch delivery {
        case .answered(let answer): response = try KeptFormAnswer.make(answer)
        case .unanswered(let error):
            response = try fail(error.code == .timedOut ? .formTimedOut : .formUnanswered, error)
        case .unsent(let error):
            return try fail(.formUnsent, error, returnPath: confirmation.map { forms.path($0.label) })
        case .gone: return try answers.problem(.formSent, for: request)
        case .elsewhere: return try refuse(reason: "address")
        case .storeFailed(let error):
            if let confirmation, error.code == .damaged {
                return try formDamaged(error, label: confirmation.label)
            }
            log(LogEvent(error, of: request, member: member))
            return try answers.problem(
                .storeUnavailable,
                returnPath: confirmation.map { forms.path($0.label) },
                for: request
            )
        }
        if let confirmation {
            try response.set([KeptFormCookies.sent(confirmation.label)])
        }
        return response
    }

    /// Tells the member to fill in a damaged form again, and marks the kept form as gone.
    func formDamaged(_ error: StoreError, label: String) throws -> Response {
        log(LogEvent(error, while: .formDamaged, of: request, member: member))
        var response = try answers.problem(.formDamaged, for: request)
        try response.set([KeptFormCookies.gone(label)])
        return response
    }
}
