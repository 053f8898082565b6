import Provider
import Sessions
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

    @Test(arguments: [
        ("group=a", "set PROVIDER_GROUPS_CLAIM", "linkedin can meet group="),
        ("claim:x=a", "set PROVIDER_CLAIMS", "linkedin can meet claim:x="),
        ("acr=a", "set PROVIDER_CLAIMS", "linkedin can meet claim:acr="),
        ("provider=google group=a", "has the ID google", nil),
        ("provider=github group=a", "has the ID github", "has the ID github"),
        ("provider=linkedin group=a", "set PROVIDER_GROUPS_CLAIM", "set PROVIDER_GROUPS_CLAIM"),
        ("provider=linkedin provider=google", "nobody", "nobody can meet all conditions provider="),
        ("claim:y=a", "set PROVIDER_CLAIMS", "set PROVIDER_CLAIMS"), ("provider=linkedin,google", "ID google", nil),
        ("member", nil, nil), ("email-verified", nil, nil),
    ])
    func `a condition about claims that no session keeps is reported`(
        rule: String,
        withLinkedIn: String?,
        withBoth: String?
    ) throws {
        let google = RuleProvider(
            try #require(ProviderID("google")),
            keptClaims: KeptClaimNames(["x", "acr"], groups: "groups")
        )
        let linkedIn = RuleProvider(.linkedIn)
        for (providers, message) in [([linkedIn], withLinkedIn), ([linkedIn, google], withBoth)] {
            let review = RuleReview(of: rule, settings: RuleSettings(providers: providers))
            let all = review.problems.map(\.message) + review.notes
            #expect(all.isEmpty == (message == nil), "\(all)")
            #expect(message.map { part in all.contains { $0.contains(part) } } ?? true, "\(all)")
        }
        let both = RuleReview(of: "group=a", settings: RuleSettings(providers: [linkedIn, google]))
        #expect(both.problems.isEmpty && both.notes.count == 1)
        #expect(RuleReview(of: rule).problems.isEmpty && RuleReview(of: rule).notes.isEmpty)
    }

    @Test(arguments: [
        ("group=Example-Org", true), ("group=A,B/c", true), ("group=example-org", false), ("group=A,b", false),
        ("group=id:1", false),
    ])
    func `a group of GitHub in capitals is reported`(rule: String, isReported: Bool) throws {
        let claims = KeptClaimNames(groups: "groups")
        let github = RuleProvider(try #require(ProviderID("github")), keptClaims: claims, preset: .github)
        let problems = RuleReview(of: rule, settings: RuleSettings(providers: [github])).problems
        #expect(
            problems.contains { $0.message.contains("write group=\(rule.dropFirst(6).lowercased())") } == isReported
        )
        let other = RuleProvider(try #require(ProviderID("other")), keptClaims: claims)
        #expect(RuleReview(of: rule, settings: RuleSettings(providers: [github, other])).problems.isEmpty)
    }

    @Test(arguments: [
        ("group=staff", true), ("claim:groups=staff", true), ("group=/staff,staff/core", true), ("group=/staff", false),
        ("group=Staff", false), ("group=id:1,domain%20admins", false), ("group=staff provider=sso", false),
        ("claim:dept=staff", false),
    ])
    func `a rule about a group that anybody can make at another provider is a warning`(
        rule: String,
        isTold: Bool
    ) throws {
        let claims = KeptClaimNames(["dept"], groups: "groups")
        let github = try #require(ProviderID("github"))
        let sso = RuleProvider(try #require(ProviderID("sso")), keptClaims: claims)
        func warnings(isOpen: Bool = true, besides others: [RuleProvider] = []) -> [String] {
            let own = RuleProvider(github, keptClaims: claims, preset: .github, hasOpenGroups: isOpen)
            return RuleReview(of: rule, settings: RuleSettings(providers: others + [own])).warnings
        }
        let told = warnings(besides: [sso])
        #expect(told.count == (isTold ? 1 : 0) && told.allSatisfy { $0.contains("can also be one of github") })
        #expect(warnings().isEmpty && warnings(isOpen: false, besides: [sso]).isEmpty)
    }

    @Test(arguments: [
        ("email=a@example.com", 1), ("email-domain=example.com", 1), ("email-verified", 1),
        ("subject=other::a", 0),
        ("member", 0),
    ])
    func `P20: a rule about addresses is refused if no provider is trusted`(rule: String, count: Int) throws {
        let other = RuleProvider(try #require(ProviderID("other")), trustsEmail: false)
        let problems = RuleReview(of: rule, settings: RuleSettings(providers: [other])).problems
        #expect(problems.count == count && problems.allSatisfy { $0.message.contains("PROVIDER_TRUSTS_EMAIL is no") })
        let both = RuleSettings(providers: [RuleProvider(.linkedIn), other])
        let review = RuleReview(of: rule, settings: both)
        #expect(review.problems.isEmpty && review.notes.count == count)
        #expect(review.notes.allSatisfy { $0.hasPrefix("no member of other can meet \(rule.prefix(5))") })
    }

    @Test(arguments: [
        ("subject=a", "and the settings do not have LinkedIn: write subject=google::IDENTIFIER"),
        ("subject=google::a", nil),
    ])
    func `a subject without the ID of a provider is refused if the site does not have LinkedIn`(
        rule: String,
        message: String?
    ) throws {
        let google = RuleProvider(try #require(ProviderID("google")))
        let problems = RuleReview(of: rule, settings: RuleSettings(providers: [google])).problems
        #expect(problems.isEmpty == (message == nil))
        #expect(message.map { problems[0].message.hasSuffix($0) } ?? true)
        let both = RuleReview(of: rule, settings: RuleSettings(providers: [google, RuleProvider(.linkedIn)]))
        #expect(both.problems.isEmpty && both.notes.isEmpty)
    }

    @Test func `entries about members of providers that the site does not have are counted`() throws {
        let settings = RuleSettings(providers: [RuleProvider(.linkedIn)])
        let review = RuleReview(of: "subject=a,google::a,entra::b", settings: settings)
        let reason = "because the settings do not have their provider, such as entra"
        #expect(review.problems.isEmpty && review.notes == ["2 of 3 entries of this rule match nobody, \(reason)"])
    }
}
