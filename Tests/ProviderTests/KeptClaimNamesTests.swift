import Sessions
import Testing

@testable import OpenID
@testable import Provider

struct KeptClaimNamesTests {
    private func kept(_ names: [String], _ json: String) throws -> KeptClaims? {
        let members = try #require(JSON(parsing: Array(json.utf8))?.objectValue)
        let claims = MemberClaims(Claims(members: members), subject: "alice", Dialect())
        return KeptClaimNames(names).kept(of: claims, withSession: true)
    }

    @Test(arguments: [#"{"sid":""}"#, #"{"sid":[]}"#, #"{"sid":["a","b"]}"#, #"{"sid":{}}"#, "{}"])
    func `a session of the provider without one ID is not kept`(json: String) throws {
        #expect(try kept([], json) == nil)
    }

    @Test func `the session of the provider is kept before claims that leave no room`() throws {
        let long = String(repeating: "x", count: 8_192)
        let json = #"{"a":"\#(long)","b":"\#(long)","sid":"one"}"#
        for names in [["a", "b"], ["a", "b", "sid"]] {
            let claims = try #require(try kept(names, json))
            #expect(claims.compare(.named("sid"), with: ["one"]) == .equal)
            #expect(claims.compare(.named("a"), with: [long]) == .equal)
        }
    }

    @Test func `userinfo does not name the session of the provider`() throws {
        let members = try #require(JSON(parsing: Array(#"{"sid":"other","a":"b"}"#.utf8))?.objectValue)
        let userinfo = MemberClaims(Claims(members: members), subject: "alice", Dialect())
        let claims = MemberClaims(subject: "alice").completed(by: userinfo)
        #expect(KeptClaimNames().kept(of: claims, withSession: true) == nil)
    }
}
