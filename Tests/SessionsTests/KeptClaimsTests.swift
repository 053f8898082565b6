import Sessions
import Testing

struct KeptClaimsTests {
    private func kept(_ claims: (String, KeptClaims.Content)..., groups: String? = nil) throws -> KeptClaims {
        try #require(KeptClaims(claims.map { (name: $0.0, content: $0.1) }, groups: groups))
    }

    @Test func `one equal value is enough, and texts are compared byte by byte`() throws {
        let kept = try kept(("a", .values(["one", "two", "é"])), ("b", .values([])))
        #expect(kept.compare(.named("a"), with: ["two"]) == .equal)
        #expect(kept.compare(.named("a"), with: ["x", "one"]) == .equal)
        for other in ["Two", "tw", "two ", "", "onetwo", "e\u{301}"] {
            #expect(kept.compare(.named("a"), with: [other]) == .different)
        }
        #expect(kept.compare(.named("b"), with: ["", "one"]) == .different)
        #expect(kept.content(of: .named("a")) == .values(["one", "two", "é"]))
        #expect(kept.content(of: .named("b")) == .values([]))
    }

    @Test func `a claim is found by its own name, and the groups by what they are`() throws {
        let kept = try kept(("roles", .values(["x"])), ("groups", .values(["y"])), groups: "roles")
        #expect(kept.compare(.groups, with: ["x"]) == .equal)
        #expect(kept.compare(.named("roles"), with: ["x"]) == .equal)
        #expect(kept.compare(.named("groups"), with: ["y"]) == .equal)
        #expect(kept.compare(.groups, with: ["y"]) == .different)
        for name in ["role", "roles.x", "Roles", ""] {
            #expect(kept.compare(.named(name), with: ["x"]) == .notKept && kept.content(of: .named(name)) == nil)
        }
        #expect(KeptClaims([], groups: nil) == nil)
    }

    @Test func `a claim that the settings no longer name is removed, and the groups are those that they name now`()
        throws
    {
        let kept = try kept(("groups", .values(["admin"])), ("roles", .values(["x"])), groups: "groups")
        #expect(kept.limited(to: ["roles", "more", "groups"], groups: "groups") == kept)
        let changed = try #require(kept.limited(to: ["groups", "roles"], groups: "roles"))
        #expect(changed.compare(.groups, with: ["admin"]) == .different)
        #expect(changed.compare(.groups, with: ["x"]) == .equal)
        let added = try #require(try self.kept(("roles", .values(["x"]))).limited(to: ["roles"], groups: "roles"))
        #expect(added.compare(.groups, with: ["x"]) == .equal)
        let fewer = try #require(kept.limited(to: ["roles"], groups: nil))
        #expect(fewer.compare(.groups, with: ["admin"]) == .notKept)
        #expect(fewer.compare(.named("groups"), with: ["admin"]) == .notKept)
        #expect(fewer.compare(.named("roles"), with: ["x"]) == .equal)
        #expect(kept.limited(to: [], groups: nil) == nil)
    }

    @Test func `the session of the provider is kept although the settings do not name it`() throws {
        let kept = try kept(("sid", .values(["a"])), ("roles", .values(["x"])))
        #expect(kept.limited(to: ["roles"], groups: nil) == kept)
        let changed = try #require(kept.limited(to: ["groups", "roles"], groups: "roles"))
        #expect(changed.compare(.groups, with: ["x"]) == .equal)
        #expect(try self.kept(("sids", .values(["a"]))).limited(to: [], groups: nil) == nil)
    }

    @Test(arguments: [ClaimFault.absent, .type, .tooLarge, .distributed])
    func `a claim without a usable value equals nothing`(fault: ClaimFault) throws {
        let kept = try kept(("a", .unusable(fault)), ("b", .values(["x"])), groups: "a")
        #expect(kept.compare(.named("a"), with: [""]) == .unusable(fault))
        #expect(kept.compare(.groups, with: ["x"]) == .unusable(fault))
        #expect(kept.compare(.named("b"), with: ["x"]) == .equal)
    }

    @Test func `up to 8192 bytes and 256 values of a claim are kept, and 16384 bytes of all`() throws {
        let (full, over) = (String(repeating: "x", count: 8_192), String(repeating: "x", count: 8_193))
        #expect(try kept(("a", .values([full]))).compare(.named("a"), with: [full]) == .equal)
        #expect(try kept(("a", .values([over]))).compare(.named("a"), with: [over]) == .unusable(.tooLarge))
        let many = (0..<257).map(String.init)
        #expect(try kept(("a", .values(many.dropLast()))).compare(.named("a"), with: ["255"]) == .equal)
        #expect(try kept(("a", .values(many))).compare(.named("a"), with: ["255"]) == .unusable(.tooLarge))
        let all = try kept(("a", .values([full])), ("b", .values([full])), ("c", .values(["x"])), ("d", .values([])))
        #expect(all.compare(.named("b"), with: [full]) == .equal)
        #expect(all.compare(.named("c"), with: ["x"]) == .unusable(.tooLarge))
        #expect(all.compare(.named("d"), with: ["x"]) == .different)
    }

    @Test(arguments: [
        ("groups", true), ("realm_access.roles", true), ("https://example.com/roles", true), ("a:b", true), ("", false),
        ("a b", false), ("a,b", false), ("a=b", false), ("ä", false), ("a%20b", false), ("$a", false), ("a\"b", false),
        (String(repeating: "a", count: 128), true), (String(repeating: "a", count: 129), false),
    ])
    func `a name of a claim needs no quotes in a rule`(name: String, isName: Bool) {
        #expect(ClaimName.isName(name) == isName)
    }
}
