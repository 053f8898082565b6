import HTTP
import Testing

@testable import OpenID

struct ClaimValueTests {
    private func claims(_ json: String) throws -> MemberClaims {
        let members = try #require(JSON(parsing: Array(json.utf8))?.objectValue)
        return MemberClaims(Claims(members: members), subject: "alice", Dialect())
    }

    @Test(arguments: [
        (#""x""#, ["x"]), (#""""#, [""]), ("true", ["true"]), ("false", ["false"]), ("0", ["0"]), ("-0", ["0"]),
        ("7", ["7"]),
        ("-12", ["-12"]), ("1e3", ["1000"]), ("2.0", ["2"]), ("9007199254740992", ["9007199254740992"]),
        ("[]", []), (#"["a",2,true,""]"#, ["a", "2", "true", ""]),
    ])
    func `text, whole numbers, truth values and lists of them are values`(json: String, texts: [String]) throws {
        #expect(try claims(#"{"a":\#(json)}"#).value(of: "a") == .texts(texts))
    }

    @Test(arguments: [
        "{}", #"{"b":"x"}"#, "0.5", "9007199254740993e1", "1e300", "[null]", "[[1]]", #"["a",{}]"#, "[0.5]",
    ])
    func `an object, a fraction, a large number and a list with anything else have another type`(json: String) throws {
        #expect(try claims(#"{"a":\#(json)}"#).value(of: "a") == .otherType)
    }

    @Test(arguments: ["{}", #"{"a":null}"#, #"{"A":"x"}"#, #"{"b":{"a":"x"}}"#])
    func `a claim that is missing or null is absent`(json: String) throws {
        #expect(try claims(json).value(of: "a") == .absent)
    }

    @Test func `a dot leads into an object, and the longest name wins`() throws {
        let nested = try claims(
            #"{"realm_access":{"roles":["x"]},"a.b":{"c":"1"},"a":{"b":{"c":"2"},"d":"3"},"https://e.org/r":"4","s":"t"}"#
        )
        #expect(nested.value(of: "realm_access.roles") == .texts(["x"]))
        #expect(nested.value(of: "realm_access") == .otherType)
        #expect(nested.value(of: "a.b.c") == .texts(["1"]))
        #expect(nested.value(of: "a.d") == .texts(["3"]))
        #expect(nested.value(of: "https://e.org/r") == .texts(["4"]))
        for name in ["a.b.d", "s.t", "realm_access.", ".roles", "realm_access.roles.x", "a..d", "", "."] {
            #expect(nested.value(of: name) == .absent, "\(name)")
        }
    }

    @Test func `P13: groups that the provider has in another place are distributed`() throws {
        let overage = #"{"_claim_names":{"groups":"src1"},"_claim_sources":{"src1":{"endpoint":"https://e.org"}}}"#
        #expect(try claims(overage).value(of: "groups") == .distributed)
        #expect(try claims(overage).value(of: "roles") == .absent)
        let both = #"{"groups":["x"],"_claim_names":{"groups":"src1"}}"#
        #expect(try claims(both).value(of: "groups") == .distributed)
        #expect(try claims(overage).completed(by: claims(#"{"groups":["x"]}"#)).value(of: "groups") == .distributed)
    }

    @Test func `P13: the ID token decides which of its claims are distributed`() throws {
        let (here, there) = (
            #"{"groups":["x"],"n":{"r":["y"]}}"#, #"{"_claim_names":{"groups":"s","n.r":"s","b":"s"}}"#
        )
        let all = try claims(here).completed(by: claims(there))
        #expect(all.value(of: "groups") == .texts(["x"]) && all.value(of: "n.r") == .texts(["y"]))
        #expect(all.value(of: "b") == .distributed && all.value(of: "c") == .absent)
        let both = try claims(#"{"_claim_names":{"a":"s"}}"#).completed(by: claims(there))
        #expect(both.value(of: "a") == .distributed && both.value(of: "groups") == .distributed)
        #expect(try claims(there).completed(by: claims(here)).value(of: "groups") == .distributed)
    }

    @Test func `userinfo adds claims, and changes none of the ID token`() throws {
        let token = try claims(#"{"a":"1","n":{"x":"1"},"amr":["pwd"]}"#)
        let userinfo = try claims(#"{"a":"2","b":"2","n":{"y":"2"},"acr":"high","amr":["otp"]}"#)
        let all = token.completed(by: userinfo)
        #expect(all.value(of: "a") == .texts(["1"]) && all.value(of: "b") == .texts(["2"]))
        #expect(all.value(of: "n.x") == .texts(["1"]) && all.value(of: "n.y") == .absent)
        #expect(all.value(of: "acr") == .absent && all.value(of: "amr") == .texts(["pwd"]))
    }
}

extension MemberClaims {
    /// The claims that the program always reads, without the others.
    var known: MemberClaims {
        var known = self
        known.members = [:]
        return known
    }
}
