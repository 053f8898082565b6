import Testing

@testable import OpenID

/// The document of a plain OAuth 2.0 server.
@Suite struct ClaimPathsTests {
    private static let paths: ClaimPaths = {
        var paths = ClaimPaths(subject: "data.id")
        paths.names = ["data.display", "data.login"]
        (paths.email, paths.emailVerified) = ("data.mail.address", "data.mail.confirmed")
        (paths.picture, paths.profile) = ("picture.data.url", "data.url")
        return paths
    }()

    private func claims(_ json: String, _ paths: ClaimPaths = paths) throws -> MemberClaims? {
        paths.claims(in: try #require(JSON(parsing: Array(json.utf8))?.objectValue))
    }

    @Test func `each name can lead into a nested object`() throws {
        let claims = try claims(
            #"""
            {"picture":{"data":{"url":"https://p.example/1"}},"roles":["a"],"data":{"id":"u-1","display":null,"login":"ada",
            "mail":{"address":"ada@example.org","confirmed":true},"url":"https://m.example/ada"}}
            """#
        )
        #expect(claims?.subject == "u-1" && claims?.name == "ada" && claims?.picture == "https://p.example/1")
        #expect(claims?.email == "ada@example.org" && claims?.emailVerified == true)
        #expect(claims?.profile == "https://m.example/ada" && claims?.value(of: "roles") == .texts(["a"]))
    }

    @Test(arguments: [
        (#""a""#, "a"), (#""00""#, "00"), ("1", "1"), ("583231", "583231"), ("9007199254740991", "9007199254740991"),
    ])
    func `a subject is text or a positive whole number`(json: String, subject: String) throws {
        #expect(try claims(#"{"data":{"id":\#(json)}}"#)?.subject == subject)
    }

    @Test(arguments: [
        #""""#, "true", "false", "null", "0", "-1", "1.5", "1e300", "9007199254740992", "9007199254740993", "{}", "[]",
        #"["a"]"#, #"{"id":"a"}"#, #""ë""#, #""a\u0000""#, #""a\nb""#,
    ])
    func `P29: a document without a subject that is certain names nobody`(json: String) throws {
        #expect(try claims(#"{"data":{"id":\#(json)},"id":"a","sub":"b"}"#) == nil)
        #expect(try claims(#"{"data":\#(json),"id":"a","sub":"b"}"#)?.subject == (json == #"{"id":"a"}"# ? "a" : nil))
    }

    @Test func `a subject of more than 255 characters names nobody`() throws {
        let text = String(repeating: "a", count: 255)
        #expect(try claims(#"{"data":{"id":"\#(text)"}}"#)?.subject == text)
        #expect(try claims(#"{"data":{"id":"\#(text)a"}}"#) == nil)
    }

    @Test func `text is not the subject of a server that numbers its members`() throws {
        var paths = ClaimPaths(subject: "id")
        paths.numbersMembers = true
        #expect(try claims(#"{"id":"7"}"#, paths) == nil && claims(#"{"id":7}"#, paths)?.subject == "7")
    }

    @Test(arguments: [
        (#""confirmed":"true""#, true), (#""confirmed":false"#, false), (#""confirmed":"false""#, false),
        (#""confirmed":1"#, false), (#""confirmed":"yes""#, false), (#""confirmed":{}"#, false), (#""x":true"#, false),
    ])
    func `P16: only true verifies an address`(flag: String, isVerified: Bool) throws {
        let mail = #"{"data":{"id":1,"mail":{"address":"a@example.org",\#(flag)}}}"#
        #expect(try claims(mail)?.emailVerified == isVerified)
    }

    @Test func `P29: without names for them, a member has neither an address nor a name`() throws {
        let document =
            #"{"id":1,"name":"Ada","email":"a@example.org","email_verified":true,"picture":"https://p.example"}"#
        let claims = try #require(try claims(document, ClaimPaths(subject: "id")))
        #expect(claims.name == nil && claims.email == nil && !claims.emailVerified && claims.picture == nil)
    }

    @Test func `claims about the sign-in are not taken from a document without a signature`() throws {
        let claims = try claims(#"{"id":1,"acr":"high","amr":["otp"],"x":"1"}"#, ClaimPaths(subject: "id"))
        #expect(claims?.value(of: "acr") == .absent && claims?.value(of: "amr") == .absent)
        #expect(claims?.value(of: "x") == .texts(["1"]))
    }
}
