import Sessions
import Settings
import Testing

import struct Foundation.Date

@testable import OpenID
@testable import Pages
@testable import Provider
@testable import SignIn

struct ProfileTests {
    private let identity = Identity(
        provider: .linkedIn,
        issuer: "https://issuer",
        subject: "abc",
        name: "Token Name",
        email: "a@example.com"
    )

    private func json(_ text: String) throws -> JSON {
        try #require(JSON(parsing: [UInt8](text.utf8)))
    }

    @Test func `the picture of the ID token is shown until the profile is fetched, and does not replace it`() throws {
        let picture = "https://media.licdn.com/dms/image/ada"
        let known = try #require(CachedProfile(MemberClaims(subject: "abc", picture: picture), identity: identity))
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let session = Session(identity: identity, created: start, expires: start, profile: known)
        let source = LinkedInProfiles(ProfileEndpoint(product: .openid, address: "", versions: []))
        let member = HomePage(session, source: source, now: start).signedIn
        #expect(member?.pictureURL == picture && member?.name == "Token Name")
        #expect(!known.wasFetched && CachedProfile(MemberClaims(subject: "abc"), identity: identity) == nil)
    }

    @Test func `identityMe provides name, picture, locale and link, and the ID token provides the subject`() throws {
        let profile = try Profile(
            identityMe: json(
                #"""
                {"id":"other","basicInfo":{"firstName":{"localized":{"en_US":"John"},"preferredLocale":{"country":"US",
                "language":"en"}},"lastName":{"localized":{"en_US":"Doe"},"preferredLocale":{"country":"US","language":"en"}},
                "primaryEmailAddress":"john@example.com","profileUrl":"https://www.linkedin.com/profile-thirdparty-redirect/x",
                "profilePicture":{"croppedImage":{"downloadUrl":"https://media.licdn.com/p","downloadUrlExpiresAt":1}}}}
                """#
            ),
            identity: identity
        )
        #expect(profile.subject == "abc")
        #expect(profile.name == "John Doe")
        #expect(profile.email == "john@example.com")
        #expect(profile.picture == "https://media.licdn.com/p")
        #expect(profile.profileURL == "https://www.linkedin.com/profile-thirdparty-redirect/x")
        #expect(profile.locale == "en-US")
        #expect(profile.pictureExpires == 0 && profile.endpointID == "other")
    }

    @Test(arguments: ["1800000000000", "1800000000999.5"])
    func `a picture whose address has expired is not shown`(time: String) throws {
        let picture = #"{"croppedImage":{"downloadUrl":"https://media.licdn.com/p","downloadUrlExpiresAt":\#(time)}}"#
        let answer = try json(#"{"basicInfo":{"profilePicture":\#(picture)}}"#)
        let end = Date(timeIntervalSince1970: 1_800_000_000)
        let cached = try CachedProfile(Profile(identityMe: answer, identity: identity), fetched: end)
        let session = Session(identity: identity, created: end, expires: end, profile: cached)
        let source = LinkedInProfiles(ProfileEndpoint(product: .verified, address: "", versions: []))
        for (now, isShown) in [(end.addingTimeInterval(-1), true), (end, false)] {
            let answer = try JSON(parsing: ProfileAnswer.text(of: cached, now: now))
            let pictures = [
                HomePage(session, source: source, now: now).signedIn?.pictureURL,
                try ProfilePage(cached, source: source, now: now).member.pictureURL,
                answer?["picture"]?.stringValue,
            ]
            #expect(pictures.allSatisfy { ($0 != nil) == isShown })
        }
    }

    @Test(arguments: ["null", "-1", "1e300", #""soon""#, "true"])
    func `a picture without a valid time of its end is shown`(time: String) throws {
        let picture = #"{"croppedImage":{"downloadUrl":"https://media.licdn.com/p","downloadUrlExpiresAt":\#(time)}}"#
        let answer = try json(#"{"basicInfo":{"profilePicture":\#(picture)}}"#)
        #expect(try Profile(identityMe: answer, identity: identity).picture(at: .distantFuture) != nil)
    }

    @Test(
        arguments: [
            ("alice", "alice", nil), ("alice", "bob", .subjectMismatch), ("e\u{301}", "\u{e9}", .subjectMismatch),
            ("alice", "", .resourceMalformed), (nil, "bob", nil),
        ] as [(String?, String, OpenIDError.Code?)]
    )
    func `each identityMe answer for a session has the id of the first`(
        known: String?,
        id: String,
        expected: OpenIDError.Code?
    ) throws {
        let answer = try json(#"{"id":"\#(id)","basicInfo":{}}"#)
        do {
            let profile = try Profile(identityMe: answer, identity: identity, knownID: known)
            #expect(expected == nil && profile.endpointID == id)
        } catch {
            #expect(error.code == expected)
        }
    }

    @Test func `a profile that an earlier version stored is read`() throws {
        let text = #"{"email":null,"locale":null,"name":"Ada","picture":"https://a/","profile_url":null,"subject":"s"}"#
        let cached = CachedProfile(content: [UInt8](text.utf8), fetched: .distantPast)
        #expect(try cached.profile() == Profile(subject: "s", name: "Ada", picture: "https://a/"))
    }

    @Test func `the vanity name of v2 me forms the link`() throws {
        let profile = try Profile(
            me: json(#"{"id":"yrZ","vanityName":"b smith/..","localizedFirstName":"Bob"}"#),
            identity: nil
        )
        #expect(profile.subject == "yrZ")
        #expect(profile.profileURL == "https://www.linkedin.com/in/b%20smith%2F..")
    }

    @Test(arguments: [
        ("http://www.linkedin.com/pub/jihu-a/60/938/7b7", "https://www.linkedin.com/pub/jihu-a/60/938/7b7"),
        ("https://www.linkedin.com/in/x", "https://www.linkedin.com/in/x"),
    ])
    func `the call of 2015 provides a link with https`(told: String, link: String) throws {
        let profile = try Profile(people: json(#"{"publicProfileUrl":"\#(told)"}"#), identity: nil)
        #expect(profile.profileURL == link)
        #expect(profile.subject == link)
    }

    @Test(arguments: ["{}", #"{"basicInfo":[]}"#, "[]", "1", #"{"publicProfileUrl":1}"#, #"{"id":""}"#])
    func `an answer in another format is malformed for every product`(text: String) throws {
        let answer = try json(text)
        #expect(throws: OpenIDError(.resourceMalformed, detail: "the response has no basicInfo")) {
            try Profile(identityMe: answer, identity: identity)
        }
        #expect(throws: OpenIDError(.resourceMalformed, detail: "the response has no id")) {
            try Profile(me: answer, identity: nil)
        }
        #expect(throws: OpenIDError(.resourceMalformed, detail: "the response has no publicProfileUrl")) {
            try Profile(people: answer, identity: nil)
        }
    }

    @Test func `an answer about another member is rejected`() throws {
        let error = #expect(throws: OpenIDError.self) { try Profile(me: json(#"{"id":"other"}"#), identity: identity) }
        #expect(error?.code == .subjectMismatch)
    }

    @Test(arguments: [
        "javascript:alert(1)", "data:text/html,x", "http://www.linkedin.com/in/x", "//evil.example/x", "",
        "https://user@evil.example/", "https://a b/", "https://\u{e9}.example/",
    ])
    func `a link that is not https is ignored`(link: String) throws {
        let basicInfo = #"{"basicInfo":{"profileUrl":"\#(link)"}}"#
        #expect(try Profile(identityMe: json(basicInfo), identity: identity).profileURL == nil)
    }

    @Test(arguments: [
        (#"{"localized":{"zh_CN":"小明"}}"#, "小明"),
        (#"{"localized":{"en_US":"Ming","zh_CN":"小明"},"preferredLocale":{"country":"CN","language":"zh"}}"#, "小明"),
        (#"{"localized":{"fr":"B","de":"A"},"preferredLocale":{"language":"it"}}"#, "A"),
        (#"{"localized":{"fr":"B"},"preferredLocale":"fr"}"#, "B"),
    ])
    func `a localized name comes from the preferred locale or from any other`(text: String, name: String) throws {
        #expect(LocalizedText(try json(text)).text == name)
    }

    @Test func `the JSON answer always has seven members, null if absent, and no identifier of the endpoint`() throws {
        let fetched = Date(timeIntervalSince1970: 1_800_000_000)
        let profile = Profile(subject: "s", name: "a/\"<b>\\", pictureExpires: 1, endpointID: "hidden")
        let cached = try CachedProfile(profile, fetched: fetched)
        let answer = try ProfileAnswer.text(of: cached, now: fetched.addingTimeInterval(90.5))
        let members = #""locale":null,"name":"a/\"<b>\\","picture":null,"profile_url":null,"subject":"s"}"#
        #expect(String(decoding: answer, as: UTF8.self) == #"{"age":90,"email":null,"# + members)
        #expect(try cached.profile() == profile)
    }

    @Test(arguments: [
        ("", nil), ("{", nil), ("null", nil), (#"{"name":"#, nil), (#"{"name":"a\"}"#, nil), (#"{"name":{}}"#, nil),
        (#"{"name":"a""subject":"s"}"#, nil), (#"{"name":,"subject":"s"}"#, nil), (#"{name:"a"}"#, nil),
        ("{}", "null"), (#"{"name":null}"#, "null"), (#"{"other":"\"name\":1,","name":"a,\\"}"#, #""a,\\""#),
    ])
    func `the JSON answer copies the values of a stored profile only`(stored: String, name: String?) {
        let cached = CachedProfile(content: Array(stored.utf8), fetched: .distantPast)
        let answer = try? ProfileAnswer.text(of: cached, now: .distantPast)
        let rest = #","picture":null,"profile_url":null,"subject":null}"#
        let text = name.map { #"{"age":0,"email":null,"locale":null,"name":"# + $0 + rest }
        #expect(answer.map { String(decoding: $0, as: UTF8.self) } == text)
    }
}
