import EventLog
import Guard
import HTTP
import Pages
import Sessions
import Settings

/// Answers requests for guarded locations, and offers sign-in to those without a session.
final class SignInOffer: SiteFeature {
    let context: SiteContext
    private let gate: Gate
    private let start: SignInStart
    private let forms: KeptFormPaths
    private let formPages: KeptFormPages

    init(_ context: SiteContext, gate: Gate, start: SignInStart, forms: KeptFormPaths, formPages: KeptFormPages) {
        (self.context, self.gate, self.start) = (context, gate, start)
        (self.forms, self.formPages) = (forms, formPages)
    }

    /// Answers the web server's question about a request for a guarded location.
    func answer(_ question: Purpose.Question, about request: Request) async throws -> Response {
        switch try await gate.pass(request, asking: question) {
        case .answer(let response): return response
        case .askToSignIn: return try await askToSignIn(request)
        case .keepFormAndSignIn: return try await keepFormAndSignIn(request)
        case .sendKeptForm(let session): return try await formPages.send(request, of: session)
        case .signInForKeptForm: return try await signInForKeptForm(request)
        }
    }

    private func keepFormAndSignIn(_ request: Request) async throws -> Response {
        guard mount.isFromSameSite(request) else { return try await askToSignIn(request) }
        switch await formPages.keep(request) {
        case .kept(let ticket):
            return try await start.begin(request, returningTo: ReturnPath(request.uri), kept: ticket)
        case .tooMany: return try answers.problem(.tooManyForms, for: request)
        case .notKept: return try await askToSignIn(request)
        }
    }

    /// Leads a member whose session cannot send a kept form to the page of the form, through sign-in.
    private func signInForKeptForm(_ request: Request) async throws -> Response {
        guard let confirmation = KeptFormConfirmation(body: request.body) else { return try await askToSignIn(request) }
        let page = forms.path(confirmation.label)
        // The page needs only a session. With one that is too old for the rule, the request would come here again.
        let isSignedIn = try await session(of: request) != nil
        return try await isSignedIn ? start.begin(request, returningTo: page) : answers.redirect(to: page.text)
    }

    /// Answers a request without a session in the form that its sender can use.
    ///
    /// Only a navigation starts a sign-in; requests in the background must not replace a sign-in that a person started.
    func askToSignIn(_ request: Request) async throws -> Response {
        switch RequestKind(request) {
        case .navigation where request.method == .get || request.method == .head:
            guard let path = ReturnPath(request.uri) else {
                return try await start.startWithoutReturn(to: request.uri, request)
            }
            return try await start.begin(request, returningTo: path)
        case .navigation where request.method == .post:
            // With a form of another site, browsers do not send the session cookie (SameSite=Lax): signing in does not help.
            if mount.isFromSameSite(request) { return try answers.problem(.formNotKept, for: request) }
            log(LogEvent(.warning, .formRefused, of: request, reason: "cross-site"))
            return try answers.problem(.formRefused, for: request)
        case .navigation:
            return try answers.problem(.signInNeeded, for: request)
        case .script, .resource:
            return try answers.signInNeeded(request)
        }
    }
}
