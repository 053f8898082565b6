import Foundation
import HTTP
import OpenID
import TestSupport
import Testing

@testable import SignIn

/// Marks every secret, and searches for it everywhere that a third party could read.
struct CanaryTests {
    private static let marked = #"""
        {"access_token":"canary-access","refresh_token":"canary-refresh","id_token":"canary.id.token","expires_in":60}
        """#
    /// Answers of the token endpoint, each with the status of the profile endpoint.
    private static let failures: [(token: (Int, String), profile: Int)] = [
        ((400, #"{"error":"invalid_grant","error_description":"canary-description"}"#), 200),
        ((401, #"{"error":"canary-error","error_uri":"https://canary.example"}"#), 200),
        ((200, #"{"access_token":"canary-access","token_type":"canary-mac"}"#), 200),
        ((200, #"["canary-array"]"#), 200),
        ((503, "<html>canary"), 200),
        ((200, marked), 403),
        ((200, marked), 500),
    ]

    private let test: TestSite
    private var browser: TestBrowser

    init() throws {
        test = try TestSite()
        browser = TestBrowser(test)
    }

    private func provide(token: (Int, String) = (200, marked), profile: Int = 200) {
        test.provider.answer { request in
            guard request.url != ScriptedProvider.tokenEndpoint else { return ScriptedProvider.json(token.0, token.1) }
            return ScriptedProvider.json(profile, profile == 200 ? #"{"id":"m1"}"# : #"{"message":"canary-message"}"#)
        }
    }

    /// The secrets that a sign-in gave to the browser.
    private func values() -> [String] {
        browser.cookies.values.filter { !$0.isEmpty } + ["canary"]
    }

    @Test mutating func `no page or log line contains a secret, whether the sign-in succeeds or not`() async throws {
        var secrets: [String] = []
        var shown: [String] = []
        var statuses: [Int] = []
        for failure in Self.failures + [((200, Self.marked), 200)] {
            provide(token: failure.token, profile: failure.profile)
            let state = try await browser.startSignIn()
            secrets += values() + [state]
            let answer = try await browser.send(.get, "/oauth?code=canary-code&state=\(state)")
            shown.append(String(decoding: answer.body, as: UTF8.self) + (answer.headers[.location] ?? ""))
            statuses.append(answer.status.code)
        }
        #expect(statuses.dropLast().allSatisfy { $0 >= 500 } && statuses.last == 303)
        secrets += values()
        for target in ["/", "/profile", "/oauth?code=canary-code&state=canary-state", "/oauth?error=canary-error"] {
            shown.append(String(decoding: try await browser.send(.get, target).body, as: UTF8.self))
        }
        #expect(secrets.count > 2 * Self.failures.count)
        #expect(test.lines.texts.count > Self.failures.count)
        for secret in secrets {
            #expect(!shown.contains { $0.contains(secret) })
            #expect(!test.lines.texts.contains { $0.contains(secret) })
        }
    }

    @Test mutating func `the files of the store contain no readable cookie, code, state or token`() async throws {
        provide()
        let state = try await browser.startSignIn()
        var secrets = values() + [state]
        #expect(try await browser.send(.get, "/oauth?code=canary-code&state=\(state)").status == .seeOther)
        secrets += values()
        var files = 0
        for name in try FileManager.default.subpathsOfDirectory(atPath: test.directory.path) {
            #expect(!secrets.contains { name.contains($0) })
            guard let content = FileManager.default.contents(atPath: test.directory.path(name)) else { continue }
            files += 1
            for secret in secrets { #expect(content.range(of: Data(secret.utf8)) == nil, "\(name)") }
        }
        #expect(files >= 3)
    }
}
