import HTTP
import Sessions
import Testing

@testable import Guard

struct IdentityFieldsTests {
    private func fields(_ identity: Identity) throws -> Headers {
        var headers = Headers()
        try IdentityFields.append(identity, as: .response([]), trustingProvider: true, to: &headers)
        return headers
    }

    @Test func `printable ASCII is sent unchanged`() throws {
        let ada = Identity(
            provider: .linkedIn,
            issuer: "i",
            subject: "a-1_B",
            name: "Ada O'Lovelace, 100%",
            email: "Ada@x.org",
            emailVerified: true
        )
        let fields = try fields(ada)
        #expect(fields[.xAuthSubject] == "a-1_B")
        #expect(fields[.xAuthEmail] == "Ada@x.org")
        #expect(fields[.xAuthName] == "Ada O'Lovelace, 100%")
    }

    @Test func `the subject of another provider's member begins with the provider`() throws {
        let provider = try #require(ProviderID("other"))
        let ada = Identity(provider: provider, issuer: "i", subject: "a-1_B")
        #expect(try fields(ada)[.xAuthSubject] == "other::a-1_B")
    }

    @Test(arguments: [
        ("Zoë", "UTF-8''Zo%C3%AB"), ("李", "UTF-8''%E6%9D%8E"), (" a", "UTF-8''%20a"), ("a ", "UTF-8''a%20"),
        ("a\r\nX-Auth-Subject: b", "UTF-8''a%0D%0AX-Auth-Subject%3A%20b"), ("\u{0}", "UTF-8''%00"),
        ("a\u{2028}b", "UTF-8''a%E2%80%A8b"), ("UTF-8''%41", "UTF-8''UTF-8%27%27%2541"), ("\u{7f}", "UTF-8''%7F"),
    ])
    func `any other text is encoded and stays on one line`(text: String, expected: String) throws {
        #expect(
            try fields(Identity(provider: .linkedIn, issuer: "i", subject: "s", name: text))[.xAuthName] == expected
        )
    }

    @Test func `an unverified e-mail address is not passed to the application`() throws {
        let unverified = Identity(provider: .linkedIn, issuer: "i", subject: "s", email: "ada@example.com")
        #expect(try fields(unverified)[.xAuthEmail] == nil)
    }

    @Test func `a long name is cut between characters and a long e-mail address is left out`() throws {
        let long = Identity(
            provider: .linkedIn,
            issuer: "i",
            subject: String(repeating: "s", count: 255),
            name: String(repeating: "👩‍👩‍👧‍👦", count: 400),
            email: String(repeating: "ü", count: 400) + "@example.com",
            emailVerified: true
        )
        let fields = try fields(long)
        let name = try #require(fields[.xAuthName])
        #expect(name.utf8.count <= 1024 && name.utf8.count > 900)
        #expect(fields[.xAuthEmail] == nil)
        let character = Percent.encode("👩‍👩‍👧‍👦")
        #expect(name.dropFirst(7).count % character.count == 0)
    }
}
