import Foundation
import Sessions
import TestSupport
import Testing

struct TokensTests {
    private let start = Date.testStart

    @Test func `all that is known of tokens is read as it was stored`() async throws {
        let directory = try StoreDirectory()
        let store = directory.store
        let tokens = Tokens(
            accessToken: "access",
            accessTokenExpires: start.addingTimeInterval(1.5),
            refreshToken: "refresh",
            refreshTokenExpires: start.addingTimeInterval(2.5),
            scopes: ["openid", "r_basicprofile"],
            issued: start
        )
        let ticket = try await store.create(.example(tokens: tokens), now: start)
        let read = try #require(try await store.session(for: ticket, now: start)?.tokens)
        #expect(read == tokens)
        #expect(read.accessToken == "access" && read.refreshToken == "refresh")
        #expect(read.scopes == ["openid", "r_basicprofile"])
        #expect(read.issued == start && read.refreshTokenExpires == start.addingTimeInterval(2.5))
    }

    @Test(arguments: [
        Tokens(accessToken: "a"), Tokens(accessToken: "a", scopes: ["s"]), Tokens(accessToken: "a", issued: .testStart),
        Tokens(accessToken: "a", refreshTokenExpires: .testStart), Tokens(accessToken: "", refreshToken: "r"),
    ])
    func `what is not known of tokens stays unknown`(tokens: Tokens) async throws {
        let directory = try StoreDirectory()
        let store = directory.store
        let ticket = try await store.create(.example(tokens: tokens), now: start)
        let read = try #require(try await store.session(for: ticket, now: start)?.tokens)
        #expect(read == tokens && read.accessToken == tokens.accessToken && read.scopes == tokens.scopes)
        #expect(read.issued == tokens.issued && read.refreshTokenExpires == tokens.refreshTokenExpires)
        let times = TokenTimes(read)
        #expect(times.issued == tokens.issued && times.refreshTokenExpires == tokens.refreshTokenExpires)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300])
    func `a time that no clock shows is unknown`(seconds: Double) {
        #expect(Tokens(accessToken: "a", issued: Date(timeIntervalSince1970: seconds)).issued == nil)
    }

    @Test(
        arguments: [
            (["openid", "email"], [], true), (["openid", "email"], ["openid"], true),
            (["openid", "email"], ["email"], true),
            (["openid", "email"], ["email", "openid"], true), (["openid", "email"], ["mail"], false),
            (["openid", "email"], ["open"], false), (["openid", "email"], ["openid", "profile"], false),
            (["openid"], ["openid email"], false), ([], ["openid"], true),
        ] as [([String], [String], Bool)]
    )
    func `a token covers its own scopes, and all scopes if its own are unknown`(
        scopes: [String],
        wanted: [String],
        covered: Bool
    ) {
        #expect(Tokens(accessToken: "a", scopes: scopes).covers(wanted) == covered)
    }
}
