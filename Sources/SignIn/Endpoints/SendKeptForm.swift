import EventLog
import Guard
import HTTP
import Pages
import Sessions
import Settings

extension Site {
    /// Leads a member whose session cannot send a kept form to the page of the form, through sign-in.
    func signInForKeptForm(_ request: Request) async throws -> Response {
        guard let confirmation = KeptFormConfirmation(body: request.body) else { return try await askToSignIn(request) }
        let page = forms.path(confirmation.label)
        // The page needs only a session. With one that is too old for the rule, the request would come here again.
        let isSignedIn = try await session(of: request) != nil
        return try await isSignedIn ? beginSignIn(request, returningTo: page) : answers.redirect(to: page.text)
    }

    /// Answers a POST to a guarded address that may confirm a kept form, and sends the kept form in its place.
    ///
    /// The browser gets the application's answer at the address of the form, as if it had sent the form itself.
    func sendKeptForm(_ request: Request, of session: CheckedSession?) async throws -> Response {
        let subject = session?.identity.subject
        guard let confirmation = KeptFormConfirmation(body: request.body) else {
            return try await passOn(request, of: subject)
        }
        guard mount.isFromThisOrigin(request) else {
            log(LogEvent(.warning, .formRefused, of: request, reason: "cross-site", subject: subject))
            return try answers.problem(.formRefused, for: request)
        }
        return try await sendKeptForm(confirmation, request, of: subject)
    }

    private func sendKeptForm(
        _ confirmation: KeptFormConfirmation,
        _ request: Request,
        of subject: String?
    ) async throws -> Response {
        switch forms.cookies(of: request).find(confirmation.label) {
        case .none: return try answers.problem(.formGone, for: request)
        case .sent: return try answers.problem(.formSent, for: request)
        case .kept(let ticket):
            guard let keptForms, KeptFormConfirmation(ticket) == confirmation else {
                log(LogEvent(.warning, .formRefused, of: request, reason: "token", subject: subject))
                return try answers.problem(.formRefused, for: request)
            }
            let delivery = await keptForms.underWay.join(confirmation.value) {
                await self.deliver(ticket, keptForms, request, subject)
            }
            return try answer(delivery, to: confirmation, request, of: subject)
        }
    }

    /// Sends a text/plain form of the application, which looks like a confirmation until its body is read.
    private func passOn(_ request: Request, of subject: String?) async throws -> Response {
        guard let keptForms, ReturnPath(request.uri) != nil, !request.isBodyOmitted else {
            return try answers.problem(request.isBodyOmitted ? .tooLarge : .badRequest, for: request)
        }
        let form = KeptForm(
            uri: request.uri,
            contentType: request.headers[.contentType] ?? "",
            referer: request.headers[.referer],
            body: request.body
        )
        let delivery = await send(form, isOwn: false, keptForms, request, subject)
        return try answer(delivery, to: nil, request, of: subject)
    }

    /// Takes a form from the store and sends it; puts it back if it was certainly not sent.
    private func deliver(
        _ ticket: Ticket,
        _ keptForms: KeptForms,
        _ request: Request,
        _ subject: String?
    ) async -> KeptFormDelivery {
        let store = keptForms.store
        do throws(StoreError) {
            guard let taken = try await store.take(ticket, now: now()) else { return .gone }
            guard taken.form.uri == request.uri else {
                try await store.putBack(taken)
                return .elsewhere
            }
            let delivery = await send(taken.form, isOwn: true, keptForms, request, subject)
            if case .unsent = delivery {
                try await store.putBack(taken)
            } else {
                await store.discard(taken)
            }
            return delivery
        } catch {
            return .storeFailed(error)
        }
    }

    private func send(
        _ form: KeptForm,
        isOwn: Bool,
        _ keptForms: KeptForms,
        _ request: Request,
        _ subject: String?
    ) async -> KeptFormDelivery {
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
            log(LogEvent(.info, .formReplayed, of: request, subject: subject, fields: fields))
            return .answered(answer)
        } catch {
            let (reason, fields) = (error.code.rawValue, request.guardedPlace + [("detail", error.detail)])
            log(LogEvent(.error, .formFailed, of: request, reason: reason, subject: subject, fields: fields))
            return error.isUnsent ? .unsent(error) : .unanswered(error)
        }
    }

    private func answer(
        _ delivery: KeptFormDelivery,
        to confirmation: KeptFormConfirmation?,
        _ request: Request,
        of subject: String?
    ) throws -> Response {
        var response: Response
        switch delivery {
        case .answered(let answer): response = try KeptFormAnswer.make(answer)
        case .unanswered(let error):
            response = try answers.problem(error.code == .timedOut ? .formTimedOut : .formUnanswered, for: request)
        case .unsent:
            return try answers.problem(.formUnsent, returnPath: confirmation.map { forms.path($0.label) }, for: request)
        case .gone: return try answers.problem(.formSent, for: request)
        case .elsewhere: return try answers.problem(.formRefused, for: request)
        case .storeFailed(let error):
            if let confirmation, error.code == .damaged {
                return try formDamaged(error, label: confirmation.label, of: subject, request)
            }
            log(LogEvent(error, of: request, subject: subject))
            return try answers.problem(
                .storeUnavailable,
                returnPath: confirmation.map { forms.path($0.label) },
                for: request
            )
        }
        if let confirmation {
            try response.headers.append(.setCookie, KeptFormCookies.sent(confirmation.label).headerValue)
        }
        return response
    }
}
