import HTTP
import Sessions

extension Site {
    /// A POST at a guarded address that may be the one of our own page: sends the kept form in its place.
    ///
    /// The answer of the application is passed on as if the browser had sent the form itself, at the form's own address.
    func resumeForm(_ request: Request) async throws -> Response {
        let form = ResumeForm(body: request.body)
        switch try await decide(request) {
        case .signedOut:
            guard let form else { return try await askToSignIn(request) }
            return try redirect(to: resumePath(form.label).text)
        case .denied(let denial, let session):
            logDenial(denial, of: session, request: request)
            return try deny(denial, session, request: request)
        case .admitted:
            guard let form else { return try await passOn(request) }
            guard isFromThisOrigin(request) else {
                log(LogEvent(.warning, "form-refused", request: request.id, reason: "cross-site"))
                return try problem(.formRefused, for: request)
            }
            return try await submit(form, request)
        }
    }

    private func submit(_ form: ResumeForm, _ request: Request) async throws -> Response {
        switch resumeCookies(of: request).find(form.label) {
        case .none: return try problem(.formGone, for: request)
        case .sent: return try problem(.formSent, for: request)
        case .kept(let ticket):
            guard let keptForms, ResumeForm(ticket) == form else {
                log(LogEvent(.warning, "form-refused", request: request.id, reason: "token"))
                return try problem(.formRefused, for: request)
            }
            let submission = await keptForms.underWay.join(form.value) {
                await self.submission(of: ticket, keptForms, request)
            }
            return try answer(submission, to: form, request)
        }
    }

    /// A form of the application's that looks like ours from outside: it goes on its way.
    private func passOn(_ request: Request) async throws -> Response {
        guard let keptForms, ReturnPath(request.uri) != nil, !request.isBodyOmitted else {
            return try problem(request.isBodyOmitted ? .tooLarge : .badRequest, for: request)
        }
        let form = KeptRequest(
            uri: request.uri,
            contentType: request.headers[.contentType] ?? "",
            referer: request.headers[.referer],
            body: request.body
        )
        let submission = await send(form, isOwn: false, keptForms, request)
        return try answer(submission, to: nil, request)
    }
}

extension Site {
    /// Takes a form out of the store and sends it; what has certainly not been sent is put back.
    private func submission(of ticket: Ticket, _ keptForms: KeptForms, _ request: Request) async -> Submission {
        let store = keptForms.store
        do throws(StoreError) {
            guard let taken = try await store.take(ticket, now: now()) else { return .gone }
            guard taken.request.uri == request.uri else {
                try await store.putBack(taken)
                return .elsewhere
            }
            let submission = await send(taken.request, isOwn: true, keptForms, request)
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
        _ form: KeptRequest,
        isOwn: Bool,
        _ keptForms: KeptForms,
        _ request: Request
    ) async -> Submission {
        let outgoing: ClientRequest
        do throws(InvalidHeaderValue) {
            outgoing = try FormRequest.make(form, to: mount.origin, as: request, isOwn: isOwn)
        } catch {
            return .unsent(TransportError(.refusedURL, detail: "a header field that cannot be sent"))
        }
        do throws(TransportError) {
            let answer = try await keptForms.transport.send(outgoing)
            let fields: [LogEvent.Field] = [
                ("status", String(answer.status)), ("bytes", String(form.body.count)),
                ("remote", request.remoteAddress),
            ]
            log(LogEvent(.info, "form-replayed", request: request.id, fields: fields))
            return .answered(answer)
        } catch {
            let fields: [LogEvent.Field] = [("detail", error.detail), ("remote", request.remoteAddress)]
            log(LogEvent(.error, "form-failed", request: request.id, reason: error.code.rawValue, fields: fields))
            return error.isUnsent ? .unsent(error) : .unanswered(error)
        }
    }

    private func answer(_ submission: Submission, to form: ResumeForm?, _ request: Request) throws -> Response {
        var response: Response
        switch submission {
        case .answered(let answer): response = try FormAnswer.make(answer)
        case .unanswered(let error):
            response = try problem(error.code == .timedOut ? .formTimedOut : .formUnanswered, for: request)
        case .unsent: return try problem(.formUnsent, returnPath: form.map { resumePath($0.label) }, for: request)
        case .gone: return try problem(.formSent, for: request)
        case .elsewhere: return try problem(.formRefused, for: request)
        case .storeFailed(let error):
            log(LogEvent(error, while: "store-failed", request: request.id))
            return try problem(.storeUnavailable, returnPath: form.map { resumePath($0.label) }, for: request)
        }
        if let form { try response.headers.append(.setCookie, ResumeCookies.sent(form.label).headerValue) }
        return response
    }
}
