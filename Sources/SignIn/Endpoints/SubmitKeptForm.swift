import EventLog
import Guard
import HTTP
import Pages
import Sessions
import Settings

extension Site {
    /// Answers a POST to a guarded address that may confirm a kept form, and sends the kept form in its place.
    ///
    /// The browser gets the application's answer at the address of the form, as if it had sent the form itself.
    func resumeForm(_ request: Request) async throws -> Response {
        let form = ResumeForm(body: request.body)
        switch try await decide(request) {
        case .signedOut:
            guard let form else { return try await askToSignIn(request) }
            return try redirect(to: resumePath(form.label).text)
        case .denied(let denial, let session):
            logDenial(denial, of: session, request: request)
            return try deny(denial, session, request: request)
        case .admitted(let session):
            let subject = session?.identity.subject
            guard let form else { return try await passOn(request, of: subject) }
            guard isFromThisOrigin(request) else {
                log(LogEvent(.warning, "form-refused", of: request, reason: "cross-site", subject: subject))
                return try problem(.formRefused, for: request)
            }
            return try await submit(form, request, of: subject)
        }
    }

    private func submit(_ form: ResumeForm, _ request: Request, of subject: String?) async throws -> Response {
        switch resumeCookies(of: request).find(form.label) {
        case .none: return try problem(.formGone, for: request)
        case .sent: return try problem(.formSent, for: request)
        case .kept(let ticket):
            guard let keptForms, ResumeForm(ticket) == form else {
                log(LogEvent(.warning, "form-refused", of: request, reason: "token", subject: subject))
                return try problem(.formRefused, for: request)
            }
            let submission = await keptForms.underWay.join(form.value) {
                await self.submission(of: ticket, keptForms, request, subject)
            }
            return try answer(submission, to: form, request, of: subject)
        }
    }

    /// Sends a text/plain form of the application, which looks like a confirmation until its body is read.
    private func passOn(_ request: Request, of subject: String?) async throws -> Response {
        guard let keptForms, ReturnPath(request.uri) != nil, !request.isBodyOmitted else {
            return try problem(request.isBodyOmitted ? .tooLarge : .badRequest, for: request)
        }
        let form = KeptForm(
            uri: request.uri,
            contentType: request.headers[.contentType] ?? "",
            referer: request.headers[.referer],
            body: request.body
        )
        let submission = await send(form, isOwn: false, keptForms, request, subject)
        return try answer(submission, to: nil, request, of: subject)
    }
}

extension Site {
    /// Takes a form from the store and sends it; puts it back if it was certainly not sent.
    private func submission(
        of ticket: Ticket,
        _ keptForms: KeptForms,
        _ request: Request,
        _ subject: String?
    ) async -> Submission {
        let store = keptForms.store
        do throws(StoreError) {
            guard let taken = try await store.take(ticket, now: now()) else { return .gone }
            guard taken.form.uri == request.uri else {
                try await store.putBack(taken)
                return .elsewhere
            }
            let submission = await send(taken.form, isOwn: true, keptForms, request, subject)
            if case .unsent = submission {
                try await store.putBack(taken)
            } else {
                await store.discard(taken)
            }
            return submission
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
    ) async -> Submission {
        let outgoing: ClientRequest
        do throws(InvalidHeaderValue) {
            outgoing = try FormRequest.make(form, to: mount.origin, as: request, isOwn: isOwn)
        } catch {
            return .unsent(TransportError(.refusedURL, detail: "a header field that cannot be sent"))
        }
        do throws(TransportError) {
            let answer = try await keptForms.transport.send(outgoing)
            let fields =
                request.guardedPlace + [
                    ("status", String(answer.status)), ("bytes", String(form.body.count)),
                ]
            log(LogEvent(.info, "form-replayed", of: request, subject: subject, fields: fields))
            return .answered(answer)
        } catch {
            let (reason, fields) = (error.code.rawValue, request.guardedPlace + [("detail", error.detail)])
            log(LogEvent(.error, "form-failed", of: request, reason: reason, subject: subject, fields: fields))
            return error.isUnsent ? .unsent(error) : .unanswered(error)
        }
    }

    private func answer(
        _ submission: Submission,
        to form: ResumeForm?,
        _ request: Request,
        of subject: String?
    ) throws -> Response {
        var response: Response
        switch submission {
        case .answered(let answer): response = try FormAnswer.make(answer)
        case .unanswered(let error):
            response = try problem(error.code == .timedOut ? .formTimedOut : .formUnanswered, for: request)
        case .unsent: return try problem(.formUnsent, returnPath: form.map { resumePath($0.label) }, for: request)
        case .gone: return try problem(.formSent, for: request)
        case .elsewhere: return try problem(.formRefused, for: request)
        case .storeFailed(let error):
            if let form, error.code == .damaged {
                return try formDamaged(error, label: form.label, of: subject, request)
            }
            log(LogEvent(error, of: request, subject: subject))
            return try problem(.storeUnavailable, returnPath: form.map { resumePath($0.label) }, for: request)
        }
        if let form { try response.headers.append(.setCookie, ResumeCookies.sent(form.label).headerValue) }
        return response
    }
}
