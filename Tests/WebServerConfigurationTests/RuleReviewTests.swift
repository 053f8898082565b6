import Provider
import Settings
import TestSupport
import Testing
import WebServerConfiguration

import struct Foundation.Data
import struct Foundation.URL

struct RuleReviewTests {
    @Test(arguments: [
        ("email=a@example.com", 1), ("member email-domain=example.com", 1), ("subject=a", 0), ("anyone", 0),
    ])
    func `a rule that nobody can meet with the product is refused`(_ rule: String, _ count: Int) {
        for product in [LinkedInProduct.basicProfile, .v1] {
            let problems = RuleReview(of: rule, settings: RuleSettings(product: product)).problems
            #expect(
                problems.count == count
                    && problems.allSatisfy { $0.message.contains("gives no verified e-mail address") }
            )
        }
        for product in [nil, LinkedInProduct.openid, .verified] {
            #expect(RuleReview(of: rule, settings: RuleSettings(product: product)).problems.isEmpty)
        }
    }

    @Test func `a limit on the age of a sign-in that no session reaches is noted`() {
        let settings = RuleSettings(sessionLifetime: 86_400)
        for (rule, count) in [("signed-in-within=23h", 0), ("signed-in-within=1d", 1), ("member", 0)] {
            let review = RuleReview(of: rule, settings: settings)
            #expect(review.problems.isEmpty && review.notes.count == count, "\(rule)")
            #expect(review.notes.allSatisfy { $0.contains("SIGNIN_SESSION_LIFETIME ends every session after 86400") })
            #expect(RuleReview(of: rule).notes.isEmpty)
        }
    }

    @Test func `a check reports every fault of a rule and of the lists that it names`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("members")
        try Data("subject=Ada\nAda\n".utf8).write(to: URL(filePath: path))
        let problems = RuleReview(of: "allow=\(path) deny=\(path)-missing").problems.map(\.message)
        #expect(problems.count == 2)
        #expect(problems.first?.contains("line 2") == true && problems.last?.contains("missing") == true)
        #expect(RuleReview(of: "member").problems.isEmpty)
        #expect(RuleReview(of: "").problems.count == 1)
    }
}
