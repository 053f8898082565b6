import Foundation
import Glibc
import HTTP
import OpenID
import Provider
import Sessions
import Synchronization
import TestSupport
import Testing

@testable import Settings
@testable import SignIn

struct HostileVisitTests {
    private let test: TestSite
    private var browser: TestBrowser
    private let json: [(HeaderName, String)] = [(.accept, "application/json")]

    init() throws {
        test = try TestSite()
        browser = TestBrowser(test)
    }

    @Test mutating func `a sign-in started at another provider cannot be completed at this provider`() async throws {
        let attempt = test.site.providers.first.client.begin()
        for (issuer, status) in [("https://other.example", Status.badRequest), (try ownIssuer(), .seeOther)] {
            let pending = PendingSignIn(
                attempt: attempt,
                issuer: issuer,
                returnPath: ReturnPath(trusted: "/"),
                started: test.clock.now
            )
            let sealed = try test.keys.seal(pending.bytes, purpose: "signin")
            browser.plant("__Host-signin-" + attempt.state.prefix(8), sealed)
            let answer = try await browser.send(.get, "/oauth?code=code-of-alice&state=\(attempt.state)")
            #expect(answer.status == status)
        }
        #expect(test.lines.reasons == ["state-issuer"])
        #expect(test.provider.requests(to: ScriptedProvider.tokenEndpoint).count == 1)
    }

    private func ownIssuer() throws -> String { test.site.providers.first.client.options.issuers.first ?? "" }

    @Test mutating func `an ended session gets the same answer as a session that never existed`() async throws {
        try await browser.signIn()
        test.clock.advance(by: 86_400)
        var stranger = TestBrowser(test)
        stranger.plant("__Host-session", String(repeating: "A", count: 43))
        for headers in [json, [(.accept, "text/html")]] {
            let ended = try await browser.send(.get, "/profile", headers: headers)
            let unknown = try await stranger.send(.get, "/profile", headers: headers)
            #expect(ended.status == unknown.status && ended.status != .ok)
            #expect(ended.headers == unknown.headers)
            #expect(ended.body == unknown.body)
        }
    }

    @Test func `signing out deletes the cookie even if the store fails`() async throws {
        let disk = Disk()
        let test = try TestSite(
            files: FileSystem { call in
                disk.isBroken && [.open, .unlink].contains(call) ? EIO : nil
            }
        )
        var browser = TestBrowser(test)
        try await browser.signIn()
        disk.fail()
        #expect(try await browser.send(.get, "/profile").status == .serviceUnavailable)
        let answer = try await browser.send(.post, "/logout", headers: [(.secFetchSite, "same-origin")])
        #expect(answer.status == .serviceUnavailable)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("this site could not end your sign-in"))
        #expect(browser.cookies.isEmpty)
        #expect(test.lines.names == ["signed-in", "store-failed", "signed-out"])
        #expect(test.lines.reasons.allSatisfy { $0.hasPrefix("store-") } && test.lines.reasons.count == 2)
        #expect(test.lines.texts.allSatisfy { $0.contains(" remote=192.0.2.7") })
    }

    @Test mutating func `hostile text from the provider is unchanged in the JSON answer`() async throws {
        let texts = HostileText.all.filter { $0.utf8.count < 200 && !$0.allSatisfy(\.isWhitespace) }
        for (number, text) in texts.enumerated() {
            let name = try String(decoding: JSONEncoder().encode([text]), as: UTF8.self).dropFirst().dropLast()
            test.provider.answer { request in
                guard request.url == ScriptedProvider.profileEndpoint else { return nil }
                let localized = #"{"localized":{"en_US":\#(name)},"preferredLocale":{"country":"US","language":"en"}}"#
                return ScriptedProvider.json(200, #"{"id":"m\#(number)","firstName":\#(localized)}"#)
            }
            try await browser.signIn(as: "m\(number)")
            let answer = try await browser.send(.get, "/profile", headers: json)
            #expect(answer.headers[.contentType] == "application/json")
            #expect(answer.headers.values(.xContentTypeOptions) == ["nosniff"])
            let profile = try JSONDecoder().decode(Profile.self, from: Data(answer.body))
            #expect(profile.name.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
        }
    }

    @Test(arguments: ["OPTIONS", "TRACE", "CONNECT", "PATCH", "PUT", "DELETE", "get", "POST "])
    mutating func `each route answers only its own methods`(method: String) async throws {
        for path in SitePath.allCases where path != .authorization {
            let answer = try await browser.send(Method(rawValue: method), path.rawValue)
            #expect(answer.status == .methodNotAllowed)
            #expect(
                answer.headers[.allow]
                    == ([.signOut, .forget, .tokens, .resume].contains(path) ? "GET, HEAD, POST" : "GET, HEAD")
            )
            #expect(answer.headers[.setCookie] == nil)
        }
    }
}

/// A file system that fails from a certain moment.
private final class Disk: Sendable {
    private let state = Mutex(false)

    var isBroken: Bool { state.withLock(\.self) }

    func fail() {
        state.withLock { $0 = true }
    }
}
