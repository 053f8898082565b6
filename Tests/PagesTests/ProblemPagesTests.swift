import Foundation
import HTTP
import TestSupport
import Testing

@testable import Pages

struct ProblemPagesTests {
    private let renderer: PageRenderer

    init() throws {
        renderer = try .shared()
    }

    private func markup(_ problem: Problem, _ language: Language = .english) throws -> Markup {
        try Markup(String(decoding: renderer.render(.problem(problem), language: language), as: UTF8.self))
    }

    @Test(arguments: Problem.Kind.allCases)
    func `every problem page has an error status and a way to continue`(kind: Problem.Kind) throws {
        let markup = try markup(Problem(kind, requestID: "0123456789abcdef"))
        let controls = markup["a"].filter { $0.attributes["class"]?.hasPrefix("control") == true }
        #expect(controls.count == controls.compactMap { $0.attributes["href"] }.count)
        #expect(controls.contains { $0.attributes["href"] == "/" })
        let buttons = markup["button"]
        #expect((controls + buttons).filter { $0.attributes["class"] == "control primary" }.count == 1)
        #expect(markup["code"].map(\.text) == (kind.showsRequest ? ["01234567"] : []))
        #expect((400..<600).contains(kind.status.code))
    }

    @Test func `guard.md lists the error code and the status of every problem`() throws {
        let section = try #require(
            SourceFile.text("docs/guard.md").components(separatedBy: "## Error codes for scripts").last
        )
        var documented: [String: Int] = [:]
        for match in section.matches(of: /\| (\d{3}) \| ([^|]+) \|/) {
            for code in match.2.matches(of: /`(\w+)`/) { documented[String(code.1)] = Int(match.1) }
        }
        // The codes about tokens come from `TokenRefusal`, `BearerError` and `GateAnswers`.
        let tokenCodes = [
            "unauthorized", "token_missing", "invalid_token", "insufficient_scope", "too_many_unknown_tokens",
        ]
        for code in tokenCodes { #expect(documented.removeValue(forKey: code) != nil) }
        let codes = Problem.Kind.allCases.map { ($0.rawValue, $0.status.code) }
        #expect(documented == Dictionary(uniqueKeysWithValues: codes))
    }

    @Test(arguments: Language.builtIn)
    func `each problem has its own heading`(language: Language) throws {
        let pages = try Problem.Kind.allCases.map { try markup(Problem($0, requestID: ""), language) }
        #expect(Set(pages.compactMap { $0["h1"].first?.text }).count == pages.count)
    }

    @Test func `signing in again returns to the requested page`() throws {
        let markup = try markup(Problem(.stateExpired, requestID: "", returnPath: "/a b?c=d&e=\"<>"))
        #expect(markup["a"].contains { $0.attributes["href"] == "/login?return_to=%2Fa%20b%3Fc%3Dd%26e%3D%22%3C%3E" })
    }

    @Test func `the button Try again repeats what failed`() throws {
        let signIn = try markup(Problem(.providerTimedOut, requestID: ""))
        let profile = try markup(Problem(.providerTimedOut, requestID: "", activity: .readingProfile))
        #expect(signIn["a"].first { $0.text == "Try again" }?.attributes["href"] == "/login")
        #expect(profile["a"].first { $0.text == "Try again" }?.attributes["href"] == "/profile")
    }

    @Test(arguments: [
        (1, "about 1 second.", "约 1 秒后"), (59, "about 59 seconds.", "约 59 秒后"), (61, "about 2 minutes.", "约 2 分钟后"),
        (3_600, "about 1 hour.", "约 1 小时后"), (90_000, "about 2 days.", "约 2 天后"),
    ])
    func `a known waiting time is shown, rounded up`(seconds: Int, english: String, chinese: String) throws {
        let problem = Problem(.providerBusy, requestID: "", retryAfter: seconds)
        #expect(try markup(problem)["main"].first?.text.contains(english) == true)
        #expect(try markup(problem, .simplifiedChinese)["main"].first?.text.contains(chinese) == true)
    }

    @Test func `the button Sign out signs out, and the page of a refused form leads back to the form`() throws {
        let markup = try markup(Problem(.crossSite, requestID: ""))
        #expect(markup["form"].map { $0.attributes["action"] } == ["/logout"])
        #expect(markup["form"].map { $0.attributes["method"] } == ["post"])
        #expect(markup["button"].map(\.text) == ["Sign out"])
        let refused = try self.markup(Problem(.formRefused, requestID: "", returnPath: "/tokens"))
        #expect(refused["a"].first { $0.text == "Try again" }?.attributes["href"] == "/tokens")
    }

    @Test func `a rejected account is shown with a button to use another one`() throws {
        let markup = try markup(Problem(.accountNotAllowed, requestID: "", account: .sample()))
        #expect(markup["dd"].map(\.text) == ["Ada Lovelaceada@example.com"])
        #expect(markup["button"].map(\.text) == ["Use another account"])
        #expect(markup["form"].map { $0.attributes["action"] } == ["/logout"])
    }

    @Test(arguments: [Problem.Kind.emailNotVerified, .emailMissing])
    func `the first button on a page about the address says what the text says`(kind: Problem.Kind) throws {
        let markup = try markup(Problem(kind, requestID: "", account: .sample(), returnPath: "/a?b"))
        let link = try #require(markup["a"].first { $0.attributes["class"] == "control primary" })
        #expect(link.text == "Sign in again" && link.attributes["href"] == "/login?return_to=%2Fa%3Fb")
        #expect(markup["p"].contains { $0.text.hasSuffix("Then sign in again.") })
        #expect(markup["button"].map(\.text) == ["Use another account"])
    }
}
