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
            let problems = RuleReview(of: rule, product: product).problems
            #expect(
                problems.count == count
                    && problems.allSatisfy { $0.message.contains("gives no verified e-mail address") }
            )
        }
        for product in [nil, LinkedInProduct.openid, .verified] {
            #expect(RuleReview(of: rule, product: product).problems.isEmpty)
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
