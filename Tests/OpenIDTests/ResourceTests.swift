import HTTP
import Synchronization
import Testing

@testable import OpenID

@Suite struct ResourceTests {
    private static let revoked =
        #"{"status":401,"serviceErrorCode":65601,"code":"REVOKED_ACCESS_TOKEN","message":"revoked by the user"}"#

    private func get(
        _ transport: ScriptedTransport,
        headers: Headers = Headers(),
        accessToken: String = "AQX",
        justIssued: Bool = false,
        pause: @escaping @Sendable (Duration) async throws -> Void = { _ in }
    ) async throws(OpenIDError) -> [UInt8] {
        try await OpenIDClient.make(transport: transport, pause: pause).resource(
            "https://api.provider.example/rest/identityMe",
            headers: headers,
            accessToken: accessToken,
            patience: justIssued ? .short : .none
        ).body
    }

    @Test func `the access token is sent only in the Authorization header, beside the headers of the resource`()
        async throws
    {
        let transport = ScriptedTransport([try .make(200, "body", type: nil)])
        var headers = Headers()
        try headers.append(try #require(HeaderName("LinkedIn-Version")), "202510.03")
        try headers.append(.authorization, "Bearer stale")
        #expect(try await get(transport, headers: headers) == Array("body".utf8))
        let request = try #require(transport.sent.first)
        #expect(request.method == .get)
        #expect(request.url == "https://api.provider.example/rest/identityMe")
        #expect(request.body.isEmpty)
        #expect(request.headers.values(.authorization) == ["Bearer AQX"])
        #expect(request.headers[try #require(HeaderName("linkedin-version"))] == "202510.03")
        #expect(request.headers[.accept] == "application/json")
    }

    @Test(
        arguments: [
            (401, OpenIDError.Code.accessTokenRefused), (403, .accessDenied), (410, .gone), (429, .throttled),
            (408, .resourceUnavailable), (500, .resourceUnavailable), (503, .resourceUnavailable),
            (504, .resourceUnavailable), (301, .resourceMalformed), (307, .resourceMalformed),
            (304, .resourceMalformed), (204, .resourceMalformed), (206, .resourceMalformed),
            (400, .resourceMalformed), (404, .resourceMalformed), (426, .versionRefused), (999, .resourceUnavailable),
        ]
    )
    func `an error of a resource is classified by its status and not retried`(
        status: Int,
        expected: OpenIDError.Code
    ) async throws {
        for justIssued in [true, false] {
            let transport = ScriptedTransport([try .make(status, #"{"serviceErrorCode":100}"#)])
            let error = await #expect(throws: OpenIDError.self) {
                try await get(transport, justIssued: justIssued)
            }
            #expect(error?.code == expected && error?.detail == "HTTP \(status)")
            #expect((error?.throttle != nil) == (status == 429))
            #expect(transport.sent.count == 1)
        }
    }

    @Test(
        arguments: [
            (TransportError.Code.timedOut, OpenIDError.Code.resourceUnavailable), (.unreachable, .resourceUnavailable),
            (.untrusted, .resourceUnavailable), (.refusedURL, .resourceUnavailable), (.cancelled, .resourceUnavailable),
            (.malformed, .resourceMalformed), (.tooLarge, .resourceMalformed), (.busy, .busy),
        ]
    )
    func `a resource call that fails below HTTP is classified and not retried`(
        code: TransportError.Code,
        expected: OpenIDError.Code
    ) async throws {
        let transport = ScriptedTransport(failing: code)
        let error = await #expect(throws: OpenIDError.self) { try await get(transport, justIssued: true) }
        #expect(error?.code == expected)
        #expect(error?.transport == code)
        #expect(transport.sent.count == 1)
    }

    @Test(
        arguments: [
            revoked, #"{"status":401,"serviceErrorCode":65600,"message":"Invalid access token"}"#,
            #"{"status":401,"serviceErrorCode":0,"code":"INVALID_ACCESS_TOKEN"}"#,
        ]
    )
    func `an access token that the provider does not know yet is retried after a pause`(body: String) async throws {
        let pauses = Mutexed([Duration]())
        let refused = try ClientResponse.make(401, body)
        let transport = ScriptedTransport([refused, refused, refused, try .make(200, "body")])
        let answer = try await get(transport, justIssued: true) { pause in
            pauses.value.withLock { $0.append(pause) }
        }
        #expect(answer == Array("body".utf8))
        #expect(pauses.value.withLock { $0 } == [.milliseconds(500), .seconds(1), .seconds(2)])
    }

    @Test func `retrying a new access token ends after 3.5 seconds`() async throws {
        let pauses = Mutexed([Duration]())
        let refused = try ClientResponse.make(401, Self.revoked)
        let transport = ScriptedTransport { _ throws(TransportError) in refused }
        let error = await #expect(throws: OpenIDError.self) {
            try await get(transport, justIssued: true) { pause in pauses.value.withLock { $0.append(pause) } }
        }
        #expect(error?.code == .accessTokenRefused)
        #expect(transport.sent.count == 4)
        #expect(pauses.value.withLock { $0 }.reduce(.zero, +) == .milliseconds(3500))
    }

    @Test func `retrying an access token that a sign-in depends on ends after 10 seconds`() async throws {
        let pauses = Mutexed([Duration]())
        let refused = try ClientResponse.make(401, Self.revoked)
        let transport = ScriptedTransport { _ throws(TransportError) in refused }
        let client = OpenIDClient.make(
            transport: transport,
            pause: { pause in pauses.value.withLock { $0.append(pause) } }
        )
        let error = await #expect(throws: OpenIDError.self) {
            try await client.resource(
                "https://api.provider.example/v2/me",
                headers: Headers(),
                accessToken: "AQX",
                patience: .long
            )
        }
        #expect(error?.code == .accessTokenRefused)
        #expect(pauses.value.withLock { $0 }.reduce(.zero, +) == .seconds(10))
    }

    @Test(
        arguments: [
            (426, "{}", .versionRefused), (400, #"{"code":"NONEXISTENT_VERSION"}"#, .versionRefused),
            (400, #"{"message":"API version not available"}"#, .versionRefused),
            (400, #"{"message":"Something else is not available"}"#, .resourceMalformed), (400, "", .resourceMalformed),
        ] as [(Int, String, OpenIDError.Code)]
    )
    func `a rejected API version is distinguished from other errors`(
        status: Int,
        body: String,
        code: OpenIDError.Code
    ) async throws {
        let transport = ScriptedTransport([try .make(status, body)])
        let error = await #expect(throws: OpenIDError.self) { try await get(transport) }
        #expect(error?.code == code)
    }

    @Test func `an old access token that is refused is not retried`() async throws {
        let transport = ScriptedTransport([try .make(401, Self.revoked)])
        let error = await #expect(throws: OpenIDError.self) { try await get(transport) }
        #expect(error?.code == .accessTokenRefused)
        #expect(transport.sent.count == 1)
    }

    @Test(
        arguments: [
            #"{"serviceErrorCode":65602,"code":"EXPIRED_ACCESS_TOKEN"}"#, #"{"serviceErrorCode":65604}"#, "", "[]",
            #"{"serviceErrorCode":"65601"}"#, "<html>",
        ]
    )
    func `a new access token that is refused for another reason is not retried`(body: String) async throws {
        let transport = ScriptedTransport([try .make(401, body)])
        let error = await #expect(throws: OpenIDError.self) { try await get(transport, justIssued: true) }
        #expect(error?.code == .accessTokenRefused)
        #expect(transport.sent.count == 1)
    }

    @Test func `a stop of the program ends the retries`() async throws {
        let refused = try ClientResponse.make(401, Self.revoked)
        let transport = ScriptedTransport { _ throws(TransportError) in refused }
        let error = await #expect(throws: OpenIDError.self) {
            try await get(transport, justIssued: true) { _ in throw CancellationError() }
        }
        #expect(error?.code == .accessTokenRefused)
        #expect(transport.sent.count == 1)
    }

    @Test func `an access token that would break the header is rejected and nothing is sent`() async throws {
        let transport = ScriptedTransport([])
        let error = await #expect(throws: OpenIDError.self) {
            try await get(transport, accessToken: "AQX\r\nX-Evil: 1")
        }
        #expect(error?.code == .accessTokenRefused)
        #expect(error?.detail.contains("AQX") == false)
        #expect(transport.sent.isEmpty)
    }
}

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
            picture: "https://media.example/0/",
            email: "doe@email.com",
            emailVerified: true,
            locale: "en-US",
            profile: "https://provider.example/in/doe"
        )
        #expect(try await get([.make(200, body)]).known == expected)
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
        #expect(answer.known == MemberClaims(subject: "782bbtaQ"))
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
        var provider = ProtocolOptions.make()
        provider.userinfoEndpoint = nil
        let transport = ScriptedTransport([])
        let client = OpenIDClient.make(options: provider, transport: transport)
        let error = await #expect(throws: OpenIDError.self) {
            try await client.userInfo(accessToken: "AQX", subject: "s")
        }
        #expect(error?.code == .resourceUnavailable)
        #expect(transport.sent.isEmpty)
    }
}
