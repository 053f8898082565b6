import CryptoExtras
import EventLog
import Foundation
import HTTP
import Sessions
import TestSupport
import Testing

@testable import Pages
@testable import SignIn

/// The number on an error page leads to a line of the log.
struct RequestNumberTests {
    @Test(arguments: Problem.Kind.allCases)
    func `the number on each error page is in a warning or an error of the log`(kind: Problem.Kind) async throws {
        var visit = try ErrorVisit(to: kind)
        let answers = try await visit.answers(about: kind)
        #expect(answers.isEmpty != kind.showsRequest)
        let renderer = try PageRenderer(templateDirectory: nil)
        let usual = try Self.markup(renderer.render(.problem(Problem(kind, requestID: "")), language: .english))
        for answer in answers {
            let page = try Self.markup(answer.body)
            #expect(page["h1"].map(\.text) == usual["h1"].map(\.text))
            let number = try #require(page["code"].first?.text)
            let lines = visit.test.lines.texts.filter { $0.contains(" request=\(number)") }
            #expect(lines.contains { $0.contains(" level=warning ") || $0.contains(" level=error ") })
        }
    }

    private static func markup(_ body: [UInt8]) throws -> Markup {
        try Markup(String(decoding: body, as: UTF8.self))
    }

    @Test(arguments: ["/nothing", "/login?provider=none", "/language", "/oauth"])
    func `an answer for scripts has a number only if a line of the log has the number`(target: String) async throws {
        let test = try TestSite()
        var browser = TestBrowser(test)
        let answer = try await browser.send(.get, target, headers: [(.accept, "application/json")])
        let number = String(decoding: answer.body, as: UTF8.self).firstMatch(of: /"request":"([0-9a-f]+)"/)?.1
        #expect(answer.headers[.contentType] == "application/json" && (number == nil) == test.lines.texts.isEmpty)
        if let number { #expect(test.lines.texts.contains { $0.contains(" request=\(number) ") }) }
    }
}

/// A visitor who meets a problem, in each way that leads to a page with another cause in the code.
private struct ErrorVisit {
    private typealias Fault = TransportError.Code

    let test: TestSite
    private let faults = Faults()
    private var visit: FormVisit
    private let html: (HeaderName, String) = (.accept, "text/html")
    private let ownSite: (HeaderName, String) = (.secFetchSite, "same-origin")
    private let otherSite: (HeaderName, String) = (.secFetchSite, "cross-site")

    private var browser: TestBrowser {
        get { visit.browser }
        set { visit.browser = newValue }
    }

    init(to kind: Problem.Kind) throws {
        let usesIDToken = kind == .identityRejected || kind == .clockWrong
        let faults = faults
        test = try TestSite(
            origin: kind == .unencryptedCookieLost ? "http://localhost:8080" : TestSite.origin,
            settings: usesIDToken ? ["LINKEDIN_PRODUCT": "openid", "SIGNIN_PROFILE_ENDPOINT": ""] : [:],
            files: FileSystem { faults.number(for: $0) }
        )
        visit = FormVisit(test)
    }

    /// The pages about a problem; none if its page shows no number.
    mutating func answers(about kind: Problem.Kind) async throws -> [Response] {
        switch kind {
        case .notFound, .methodNotAllowed, .tooLarge, .addressTooLong, .signInNeeded, .accountNotAllowed,
            .emailNotVerified, .signInCancelled, .stateExpired, .stateUsed, .tooManyRequests, .accessEnded,
            .accountChanged, .changeNeedsSignIn, .emailMissing, .formNotKept, .tooManyForms, .formGone, .formSent:
            return []
        case .badRequest: return [try await applicationForm(at: "/" + String(repeating: "a", count: 1536))]
        case .forbidden: return try await forbidden()
        case .sessionCookieLost: return [try await loop { $0.forget("__Host-session") }]
        case .sessionUnknown:
            return [try await loop { $0.plant("__Host-session", String(repeating: "A", count: 43)) }]
        case .sessionTooOld: return [try await tooOld()]
        case .scopeRefused: return [try await callback("error=unauthorized_scope_error")]
        case .stateMissing: return [try await browser.send(.get, "/oauth?code=a&state=b")]
        case .unencryptedCookieLost:
            let state = try await browser.startSignIn()
            var other = TestBrowser(test)
            let safari: (HeaderName, String) = (.userAgent, "AppleWebKit/605.1.15 Safari/605.1.15")
            return [try await other.send(.get, "/oauth?code=a&state=\(state)", headers: [html, safari])]
        case .callbackMalformed: return [try await browser.send(.get, "/oauth")]
        case .providerRefusedUs:
            return [try await callback("error=invalid_request"), try await callback(token: 401)]
        case .codeRefused: return [try await callback("code=unknown")]
        case .providerUnavailable: return [try await callback(token: 500)]
        case .providerTimedOut: return [try await callback(failing: .timedOut), try await profile(failing: .timedOut)]
        case .providerBusy: return [try await callback(failing: .busy), try await profile(failing: .busy)]
        case .providerThrottled: return [try await callback(token: 429)] + (try await profile(429, "{}"))
        case .identityRejected: return [try await callback()]
        case .clockWrong:
            try issueTokenOfTomorrow()
            return [try await callback()]
        case .profileUnavailable: return [try await callback(profile: 500)] + (try await profile(500, ""))
        case .profileDenied: return [try await callback(profile: 403)] + (try await profile(403, ""))
        case .profileGone: return [try await callback(profile: 410)] + (try await profile(410, ""))
        case .versionRetired: return [try await callback(profile: 426)]
        case .accessPending: return [try await callback(profile: 401)]
        case .storeUnavailable: return try await storeUnavailable()
        case .signOutUnfinished: return [try await post("/logout", failing: .unlink)]
        case .sessionsRemain: return [try await post("/logout", "everywhere=yes", failing: .unlink)]
        case .crossSite: return [try await browser.send(.post, "/logout", headers: [otherSite, html])]
        case .deletionRefused: return [try await browser.send(.post, "/forget", headers: [otherSite, html])]
        case .deletionUnfinished: return [try await post("/forget", failing: .unlink)]
        case .formDamaged: return [try await damagedForm()]
        case .formRefused: return try await refusedForms()
        case .formUnsent: return try await unsentForms()
        case .formUnanswered: return [try await keptForm(failing: .malformed)]
        case .formTimedOut: return [try await keptForm(failing: .timedOut)]
        case .internalError:
            // The profile in this session is not JSON.
            let expires = test.clock.now.addingTimeInterval(3600)
            var session = Session.example(created: test.clock.now, expires: expires)
            session.profile?.fetched = test.clock.now
            try await browser.plant(session)
            return [try await browser.send(.get, "/profile")]
        }
    }

    // MARK: - Guarded locations

    private mutating func ask(
        _ action: String,
        rule: String,
        role: Request.Role = .responder
    ) async throws -> Response {
        let server = ["SIGNIN_ACTION": action, "SIGNIN_REQUIRE": rule]
        return try await browser.send(.get, "/private/", headers: [html], role: role, parameters: server)
    }

    private mutating func forbidden() async throws -> [Response] {
        var answers = [
            try await ask("", rule: "", role: .authorizer), try await ask("unknown", rule: "member"),
            // nginx itself denied the requests, before and after a check.
            try await ask("denied", rule: ""), try await ask("denied", rule: "anyone"),
        ]
        try await browser.signIn()
        answers.append(try await ask("denied", rule: "member"))
        return answers
    }

    private mutating func storeUnavailable() async throws -> [Response] {
        let target = "/oauth?code=code-of-alice&state=\(try await browser.startSignIn())"
        faults.fail(.link)
        var answers = [try await browser.send(.get, target)]
        faults.fail(nil)
        try await browser.signIn()
        faults.fail(.open)
        for target in ["/profile", "/"] { answers.append(try await browser.send(.get, target)) }
        answers.append(try await ask("denied", rule: "member"))
        return answers
    }

    // MARK: - Sign-ins

    private mutating func callback(_ query: String = "code=code-of-alice") async throws -> Response {
        try await browser.send(.get, "/oauth?\(query)&state=\(try await browser.startSignIn())")
    }

    private mutating func callback(token status: Int) async throws -> Response {
        test.provider.answer { _ in ScriptedProvider.json(status, "{}") }
        return try await callback()
    }

    private mutating func callback(profile status: Int) async throws -> Response {
        test.provider.answer { request throws(TransportError) in
            guard request.url == ScriptedProvider.profileEndpoint else { return nil }
            return ScriptedProvider.json(status, #"{"serviceErrorCode":65601}"#)
        }
        return try await callback()
    }

    private mutating func callback(failing code: Fault) async throws -> Response {
        fail(code)
        return try await callback()
    }

    private func fail(_ code: Fault, isUnsent: Bool? = nil) {
        test.provider.answer { _ throws(TransportError) in throw TransportError(code, isUnsent: isUnsent) }
    }

    private mutating func loop(_ lose: (inout TestBrowser) -> Void) async throws -> Response {
        for _ in 0..<3 {
            try await browser.signIn()
            lose(&browser)
        }
        return try await browser.send(.get, "/login")
    }

    private mutating func tooOld() async throws -> Response {
        let created = test.clock.now.addingTimeInterval(-120)
        let old = Session.example(created: created, expires: created.addingTimeInterval(3600))
        for _ in 0..<3 {
            try await browser.signIn()
            try await browser.plant(old)
        }
        return try await ask("signin", rule: "signed-in-within=1m")
    }

    /// Lets the provider issue an ID token that is valid tomorrow.
    private func issueTokenOfTomorrow() throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let numbers = try key.publicKey.getKeyPrimitives()
        func text(_ data: some Sequence<UInt8>) -> String {
            Data(data).base64EncodedString().filter { $0 != "=" }.replacing("+", with: "-").replacing("/", with: "_")
        }
        let issued = Int(test.clock.now.timeIntervalSince1970) + 86_400
        let claims = """
            {"iss":"https://www.linkedin.com/oauth","aud":"client","sub":"alice","iat":\(issued),"exp":\(issued + 600)}
            """
        let input = text(#"{"alg":"RS256","kid":"a"}"#.utf8) + "." + text(claims.utf8)
        let signature = try key.signature(for: Data(input.utf8), padding: .insecurePKCS1v1_5)
        let token = "\(input).\(text(signature.rawRepresentation))"
        let (modulus, exponent) = (text(numbers.modulus), text(numbers.publicExponent))
        let keys = #"{"keys":[{"kty":"RSA","kid":"a","n":"\#(modulus)","e":"\#(exponent)"}]}"#
        test.provider.answer { request in
            guard request.url == ScriptedProvider.tokenEndpoint else { return ScriptedProvider.json(200, keys) }
            return ScriptedProvider.json(200, #"{"access_token":"a","expires_in":600,"id_token":"\#(token)"}"#)
        }
    }

    // MARK: - Members

    /// Requests the profile of a member without a profile twice: after the first request, the program holds back calls.
    private mutating func profile(_ status: Int, _ body: String) async throws -> [Response] {
        test.provider.answer { _ in ScriptedProvider.json(status, body) }
        try await plantWithoutProfile()
        return [try await browser.send(.get, "/profile"), try await browser.send(.get, "/profile")]
    }

    private mutating func profile(failing code: Fault) async throws -> Response {
        fail(code)
        try await plantWithoutProfile()
        return try await browser.send(.get, "/profile")
    }

    private mutating func plantWithoutProfile() async throws {
        let session = Session.example(
            created: test.clock.now.addingTimeInterval(-3600),
            expires: test.clock.now.addingTimeInterval(86_400),
            tokens: Tokens(accessToken: "token-of-alice", scopes: ["r_basicprofile"]),
            profile: nil
        )
        try await browser.plant(session)
    }

    private mutating func post(
        _ path: String,
        _ form: String = "",
        failing call: FileSystem.Call
    ) async throws -> Response {
        try await browser.signIn()
        faults.fail(call)
        let type: (HeaderName, String) = (.contentType, "application/x-www-form-urlencoded")
        return try await browser.send(.post, path, headers: [ownSite, html, type], body: [UInt8](form.utf8))
    }

    // MARK: - Forms

    /// The page that sends a kept form.
    private mutating func keptForm() async throws -> Response {
        try await visit.signIn(after: try await visit.post())
    }

    private mutating func keptForm(failing code: Fault) async throws -> Response {
        let page = try await keptForm()
        fail(code, isUnsent: false)
        return try await visit.press(page)
    }

    /// A form of the application that has the media type of the program's own form.
    private mutating func applicationForm(at uri: String) async throws -> Response {
        _ = try await keptForm()
        return try await visit.post(uri, type: "text/plain")
    }

    private mutating func damagedForm() async throws -> Response {
        let page = try await keptForm()
        let folder = test.directory.path("state/kept")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try Data().write(to: URL(filePath: "\(folder)/\(name)"))
        }
        return try await visit.press(page)
    }

    private mutating func refusedForms() async throws -> [Response] {
        let page = try await keptForm()
        var answers = [
            try await visit.press(page, at: "/private/other"), try await visit.press(page, site: "cross-site"),
            try await browser.send(.post, "/resume", headers: [otherSite, html]),
        ]
        for action in ["signin", "ask"] {
            var stranger = FormVisit(test)
            answers.append(try await stranger.post(site: "cross-site", action: action))
        }
        return answers
    }

    /// Presses the button several times: the requests after the first one wait for its answer.
    private mutating func unsentForms() async throws -> [Response] {
        let page = try await keptForm()
        fail(.unreachable)
        let (form, visit) = (try FormVisit.field(of: page), visit)
        var answers = try await withThrowingTaskGroup(of: Response.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    var click = visit
                    return try await click.send(form)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // This address cannot be the value of a header field.
        self.visit.browser.address = "192.0.2.7\n"
        answers.append(try await self.visit.send(form))
        return answers
    }
}
