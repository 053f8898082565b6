import HTTP
import OpenID
import Testing

@Suite struct UserInfoTests {
    private func get(_ answers: [ClientResponse], subject: String = "782bbtaQ") async throws -> MemberClaims {
        let client = OpenIDClient.make(transport: ScriptedTransport(answers))
        return try await client.userInfo(accessToken: "AQX", subject: subject)
    }

    private func refusal(_ answer: ClientResponse, subject: String = "782bbtaQ") async -> OpenIDError.Code? {
        await #expect(throws: OpenIDError.self) { try await get([answer], subject: subject) }?.code
    }

    @Test func `LinkedIn's userinfo with its locale object is read`() async throws {
        let body = #"""
            {"sub":"782bbtaQ","name":"John Doe","given_name":"John","family_name":"Doe",
            "picture":"https://media.example/0/","locale":{"country":"US","language":"en"},"email":"doe@email.com",
            "email_verified":true,"profile":"https://provider.example/in/doe"}
            """#
        let expected = MemberClaims(
            subject: "782bbtaQ",
            name: "John Doe",
            givenName: "John",
            familyName: "Doe",
            picture: "https://media.example/0/",
            email: "doe@email.com",
            emailVerified: true,
            locale: "en-US",
            profile: "https://provider.example/in/doe"
        )
        #expect(try await get([.make(200, body)]) == expected)
    }

    @Test(
        arguments: [
            #"{"sub":"other"}"#, #"{"sub":"782bbtaq"}"#, #"{"sub":"782bbtaQ "}"#, #"{"sub":""}"#, #"{"sub":7}"#,
            #"{"name":"John"}"#, #"{"sub":["782bbtaQ"]}"#,
        ]
    )
    func `userinfo about another member is rejected`(body: String) async throws {
        #expect(await refusal(try .make(200, body)) == .subjectMismatch)
    }

    @Test func `a subject that only looks the same is another member`() async throws {
        // U+212A is the Kelvin sign, which == treats as equal to K.
        #expect(await refusal(try .make(200, "{\"sub\":\"\u{212a}\"}"), subject: "K") == .subjectMismatch)
    }

    @Test(
        arguments: [
            "", "[]", "null", #"{"sub":"782bbtaQ""#, #"{"sub":"782bbtaQ","sub":"782bbtaQ"}"#,
            #"{"sub":"782bbtaQ","name":"\ud800"}"#, "<html>",
        ]
    )
    func `userinfo that is not a JSON object is rejected`(body: String) async throws {
        #expect(await refusal(try .make(200, body)) == .resourceMalformed)
    }

    @Test func `userinfo of another content type is rejected`() async throws {
        let body = #"{"sub":"782bbtaQ"}"#
        #expect(await refusal(try .make(200, body, type: "application/jwt")) == .resourceMalformed)
        #expect(await refusal(try .make(200, body, type: "text/html")) == .resourceMalformed)
    }

    @Test func `userinfo is retried while LinkedIn calls a new token revoked`() async throws {
        let refused = try ClientResponse.make(401, #"{"serviceErrorCode":65601}"#)
        let answer = try await get([refused, refused, .make(200, #"{"sub":"782bbtaQ"}"#)])
        #expect(answer == MemberClaims(subject: "782bbtaQ"))
    }

    @Test func `userinfo is not retried for an old token that is called revoked`() async throws {
        let transport = ScriptedTransport([try .make(401, #"{"serviceErrorCode":65601}"#)])
        let client = OpenIDClient.make(transport: transport)
        let error = await #expect(throws: OpenIDError.self) {
            try await client.userInfo(accessToken: "AQX", subject: "s", justIssued: false)
        }
        #expect(error?.code == .accessTokenRefused)
        #expect(transport.sent.count == 1)
    }

    @Test func `a provider without a userinfo endpoint gets no request`() async throws {
        var provider = Provider.make()
        provider.userinfoEndpoint = nil
        let transport = ScriptedTransport([])
        let client = OpenIDClient.make(provider: provider, transport: transport)
        let error = await #expect(throws: OpenIDError.self) {
            try await client.userInfo(accessToken: "AQX", subject: "s")
        }
        #expect(error?.code == .resourceUnavailable)
        #expect(transport.sent.isEmpty)
    }
}
