import EventLog
import Provider
import Sessions
import Testing

@testable import Guard
@testable import OpenID

/// Claims in the form that the documentation of providers shows, and the rules about them.
struct RecordedClaimsTests {
    struct Recorded: Sendable, CustomTestStringConvertible {
        let name: String
        /// The claims of the ID token or of userinfo, beside `iss`, `sub` and times.
        let claims: String
        /// The value of `PROVIDER_GROUPS_CLAIM`.
        let groups: String
        /// The value of `PROVIDER_CLAIMS`.
        var others: [String] = []
        let admitting: [String]
        let rejecting: [(rule: String, because: Denial)]

        var testDescription: String { name }
    }

    private static let all = [
        Recorded(
            name: "Keycloak",
            claims: """
                {"realm_access":{"roles":["default-roles-members","offline_access","editor"]},\
                "resource_access":{"site":{"roles":["print"]},"account":{"roles":["view-profile"]}},\
                "groups":["/staff","/staff/board"],"preferred_username":"ada","acr":"1"}
                """,
            groups: "realm_access.roles",
            others: ["resource_access.site.roles", "groups", "acr"],
            admitting: [
                "group=editor", "claim:realm_access.roles=editor", "claim:resource_access.site.roles=print",
                "claim:groups=/staff/board", "acr=1",
            ],
            rejecting: [
                ("group=realm_access.roles", .claimDiffers), ("claim:groups=staff", .claimDiffers),
                ("claim:realm_access=editor", .claimNotKept),
                ("claim:resource_access.account.roles=view-profile", .claimNotKept),
            ]
        ),
        Recorded(
            name: "GitLab",
            claims: """
                {"name":"Ada Lovelace","nickname":"ada","preferred_username":"ada","profile":"https://gitlab.com/ada",\
                "groups_direct":["engines","engines/notes"],"https://gitlab.org/claims/groups/owner":["engines"]}
                """,
            groups: "groups_direct",
            others: ["https://gitlab.org/claims/groups/owner"],
            admitting: [
                "group=engines", "group=engines/notes", "claim:https://gitlab.org/claims/groups/owner=engines",
            ],
            rejecting: [
                ("group=engines/notes/b", .claimDiffers), ("group=Engines", .claimDiffers),
                ("claim:https://gitlab.org/claims/groups/owner=engines/notes", .claimDiffers),
            ]
        ),
        Recorded(
            name: "Okta",
            claims: #"{"groups":["Everyone","Site Editors"],"ver":1,"amr":["pwd","mfa"],"department":"sales"}"#,
            groups: "groups",
            others: ["amr", "department", "division"],
            admitting: ["group=Site%20Editors", "group=Everyone amr=mfa", "claim:department=sales,support"],
            rejecting: [("group=Site", .claimDiffers), ("claim:division=x", .claimAbsent), ("amr=hwk", .claimDiffers)]
        ),
        Recorded(
            name: "Auth0",
            claims: """
                {"https://site.example/roles":["editor"],"https://site.example/plan":{"name":"pro","seats":5},\
                "https://site.example/paid":true,"nickname":"ada","updated_at":"2026-11-21T20:15:03.000Z"}
                """,
            groups: "https://site.example/roles",
            others: [
                "https://site.example/plan.seats", "https://site.example/plan", "https://site.example/paid", "roles",
            ],
            admitting: [
                "group=editor", "claim:https://site.example/roles=editor", "claim:https://site.example/plan.seats=5",
                "claim:https://site.example/paid=true",
            ],
            rejecting: [
                ("claim:https://site.example/plan=pro", .claimType), ("claim:roles=editor", .claimAbsent),
                ("claim:https://site.example/paid=yes", .claimDiffers),
            ]
        ),
        Recorded(
            name: "Authentik",
            claims: """
                {"preferred_username":"ada","nickname":"ada","groups":["authentik Admins","editors"],"entitlements":[],\
                "amr":["pwd"],"acr":"goauthentik.io/providers/oauth2/default"}
                """,
            groups: "groups",
            others: ["entitlements", "acr"],
            admitting: ["group=authentik%20Admins", "group=editors", "acr=goauthentik.io/providers/oauth2/default"],
            rejecting: [("group=admins", .claimDiffers), ("claim:entitlements=print", .claimDiffers)]
        ),
    ]

    @Test(arguments: all)
    func `rules use the claims of a provider as its documentation shows them`(recorded: Recorded) throws {
        let members = try #require(JSON(parsing: Array(recorded.claims.utf8))?.objectValue)
        let claims = MemberClaims(Claims(members: members), subject: "ada", Dialect())
        let kept = KeptClaimNames(recorded.others, groups: recorded.groups).kept(of: claims)
        let member = Identity(provider: .linkedIn, issuer: "i", subject: "ada", claims: kept)
        let lists = MemberLists(log: Log { _ in })
        for rule in recorded.admitting {
            #expect(try Requirement(rule, lists: lists).objection(to: member) == nil, "\(rule)")
        }
        for (rule, denial) in recorded.rejecting {
            #expect(try Requirement(rule, lists: lists).objection(to: member) == denial, "\(rule)")
        }
    }
}
