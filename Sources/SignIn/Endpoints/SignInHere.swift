import Guard
import HTTP
import Pages
import Sessions
import Settings

extension Site {
    /// Answers the web server's question about a request for a guarded location.
    func answer(_ question: Purpose.Question, about request: Request) async throws -> Response {
        switch try await gate.pass(request, asking: question) {
        case .answer(let response): return response
        case .askToSignIn: return try await askToSignIn(request)
        case .keepFormAndSignIn: return try await keepFormAndSignIn(request)
        case .sendKeptForm(let session): return try await sendKeptForm(request, of: session)
        case .signInForKeptForm: return try await signInForKeptForm(request)
        }
    }

    private func keepFormAndSignIn(_ request: Request) async throws -> Response {
        switch await keepForm(request) {
        case .kept(let ticket):
            return try await beginSignIn(request, returningTo: ReturnPath(request.uri), kept: ticket)
        case .tooMany: return try answers.problem(.tooManyForms, for: request)
        case .notKept: return try await askToSignIn(request)
        }
    }

    /// Answers a request without a session in the form that its sender can use.
    ///
    /// Only a navigation starts a sign-in; requests in the background must not replace a sign-in that a person started.
    func askToSignIn(_ request: Request) async throws -> Response {
        switch RequestKind(request) {
        case .navigation where request.method == .get || request.method == .head:
            guard let path = ReturnPath(request.uri) else {
                return try await signInWithoutReturn(to: request.uri, request)
            }
            return try await beginSignIn(request, returningTo: path)
        case .navigation:
            return try answers.problem(request.method == .post ? .formNotKept : .signInNeeded, for: request)
        case .script:
            return try answers.signInNeeded(request)
        case .resource:
            return try answers.challenging(answers.bare(.unauthorized), for: request)
        }
    }
}
