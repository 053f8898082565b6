import Provider
import Testing

struct LinkedInScopeTests {
    @Test func `each scope belongs to a product of LinkedIn`() {
        let scopes = ["openid", "profile", "r_profile_basicinfo", "email", "unknown"]
        let names = ["Sign In with LinkedIn using OpenID Connect", "Verified on LinkedIn"]
        #expect(LinkedInScope.products(granting: scopes) == names)
        #expect(LinkedInScope.products(granting: ["unknown"]).isEmpty)
    }

    @Test(arguments: [
        (["openid"], "add profile or email"), (["openid", "r_liteprofile"], "no longer grants r_liteprofile"),
    ])
    func `scopes that LinkedIn refuses get a note`(scopes: [String], words: String) {
        #expect(LinkedInScope.notes(on: scopes).count == 1)
        #expect(LinkedInScope.notes(on: scopes).allSatisfy { $0.contains(words) })
        #expect(LinkedInScope.notes(on: ["openid", "email"]).isEmpty)
    }
}
