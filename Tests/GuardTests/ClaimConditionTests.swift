import HTTP
import Sessions
import Testing

@testable import EventLog
@testable import Guard

extension Requirement {
    /// Why the rule rejects a member of a provider whose addresses are trusted.
    func objection(to identity: Identity) -> Denial? { objection(to: identity, trustingProvider: true) }
}

struct ClaimConditionTests {
    private func rule(_ text: String) throws -> Requirement {
        try Requirement(text, lists: MemberLists(log: Log { _ in }))
    }

    private func identity(
        _ claims: (String, KeptClaims.Content)...,
        groups: String? = nil,
        provider: ProviderID = .linkedIn,
        email: String? = "ada@example.com",
        verified: Bool = true
    ) -> Identity {
        Identity(
            provider: provider,
            issuer: "i",
            subject: "Ada-1",
            email: email,
            emailVerified: verified,
            claims: KeptClaims(claims.map { (name: $0.0, content: $0.1) }, groups: groups)
        )
    }

    @Test(arguments: [
        "provider", "provider=", "provider=Google", "provider=a,", "provider=a b", "group", "group=", "group=a,,b",
        "group=ä",
        "group=a%2", "group=%zz", "group=%00", "group=%FF", "claim", "claim=a", "claim:=a", "claim:a", "claim:a=",
        "claim:a,b=c", "claim:a%20b=c", "acr", "acr=", "amr=", "email-verified=yes", "Group=a", "anyone group=a",
        "claim:\(String(repeating: "a", count: 129))=x",
    ])
    func `a rule about claims with an unknown part is rejected`(text: String) {
        #expect(throws: Requirement.Invalid.self) { try rule(text) }
    }

    @Test func `a member of a named provider passes`() throws {
        let google = try #require(ProviderID("google"))
        #expect(try rule("provider=linkedin,google").objection(to: identity()) == nil)
        #expect(try rule("provider=google").objection(to: identity(provider: google)) == nil)
        #expect(try rule("provider=google").objection(to: identity()) == .otherProvider)
        #expect(try rule("provider=google provider=linkedin").objection(to: identity()) == .otherProvider)
    }

    @Test func `a member of one of the groups passes`() throws {
        let ada = identity(("roles", .values(["staff", "Domain Admins", "a,b", "100%", "ë"])), groups: "roles")
        for text in [
            "group=staff", "group=x,staff", "group=Domain%20Admins", "group=a%2Cb", "group=100%25", "group=%C3%AB",
            "claim:roles=staff", "group=staff group=Domain%20Admins",
        ] { #expect(try rule(text).objection(to: ada) == nil, "\(text)") }
        for text in ["group=Staff", "group=staf", "group=a,b", "group=staff group=x", "group=%65%CC%88"] {
            #expect(try rule(text).objection(to: ada) == .claimDiffers, "\(text)")
        }
        #expect(try rule("claim:groups=staff").objection(to: ada) == .claimNotKept)
    }

    @Test func `a claim that cannot be used rejects the member with a reason of its own`() throws {
        let member = identity(
            ("a", .unusable(.absent)),
            ("b", .unusable(.type)),
            ("c", .unusable(.tooLarge)),
            ("d", .unusable(.distributed)),
            ("e", .values([]))
        )
        let reasons: [(String, Denial)] = [
            ("a", .claimAbsent), ("b", .claimType), ("c", .claimTooLarge), ("d", .claimDistributed),
            ("e", .claimDiffers),
            ("f", .claimNotKept),
        ]
        for (name, denial) in reasons {
            let rule = try rule("member claim:\(name)=x")
            #expect(rule.objection(to: member) == denial)
            #expect(rule.claims(of: member, rejectedBy: denial) == [.named(name)])
        }
        #expect(try rule("group=x").objection(to: member) == .claimNotKept)
        #expect(try rule("group=x").objection(to: identity()) == .claimNotKept)
    }

    @Test func `acr and amr are claims`() throws {
        let strong = identity(("acr", .values(["urn:mfa"])), ("amr", .values(["pwd", "otp"])))
        #expect(try rule("acr=urn:mfa,urn:hwk amr=otp").objection(to: strong) == nil)
        #expect(try rule("amr=hwk").objection(to: strong) == .claimDiffers)
        #expect(try rule("acr=urn:mfa").objection(to: identity()) == .claimNotKept)
    }

    @Test(arguments: ["email=ada@example.com", "email-domain=example.com", "email-verified"])
    func `P20: a rule about addresses admits nobody of a provider whose addresses are not trusted`(text: String) throws
    {
        let rule = try rule(text)
        for text in [text, "provider=linkedin \(text)"] {
            let rule = try self.rule(text)
            #expect(rule.objection(to: identity(), trustingProvider: true) == nil)
            #expect(rule.objection(to: identity(), trustingProvider: false) == .emailUntrusted)
        }
        for trust in [true, false] {
            #expect(rule.objection(to: identity(verified: false), trustingProvider: trust) == .emailUnverified)
        }
    }

    @Test func `a member without an address does not meet email-verified`() throws {
        #expect(try rule("email-verified").objection(to: identity(email: nil)) == .emailUnverified)
    }

    private func fields(_ identity: Identity, _ claims: String..., trusting: Bool = true) throws -> Headers {
        var headers = Headers()
        let names = IdentityFields.Names.environment(claims.map(ApplicationClaim.init))
        try IdentityFields.append(identity, as: names, trustingProvider: trusting, to: &headers)
        return headers
    }

    @Test func `an application gets the claims of the settings, and commas only separate values`() throws {
        let ada = identity(
            ("r.x", .values(["staff", "a,b", "", "Zoë", "UTF-8''x"])),
            ("https://e/d", .values(["R, D"])),
            ("none", .values([])),
            ("absent", .unusable(.absent)),
            ("other", .values(["x"])),
            groups: "r.x"
        )
        let fields = try fields(ada, "groups", "https://e/d", "none", "absent", "unknown", "r.x")
        let groups = "staff,UTF-8''a%2Cb,UTF-8'',UTF-8''Zo%C3%AB,UTF-8''UTF-8%27%27x"
        let values = fields.fields.dropFirst(2).map { "\($0.name)=\($0.value)" }
        #expect(
            values == [
                "Variable-AUTH_GROUPS=\(groups)", "Variable-AUTH_CLAIM_HTTPS___E_D=UTF-8''R%2C%20D",
                "Variable-AUTH_CLAIM_NONE=", "Variable-AUTH_CLAIM_R_X=\(groups)",
            ]
        )
        #expect(ApplicationClaim("r.x").header == "X-Auth-Claim-r-x")
        #expect(try self.fields(ada).fields.count == 2)
    }

    @Test func `an address of a provider that is not trusted is not passed to the application`() throws {
        #expect(try fields(identity(), trusting: false)[.variableAuthEmail] == nil)
        #expect(try fields(identity(), trusting: true)[.variableAuthEmail] == "ada@example.com")
    }

    @Test func `fields of more than 3072 bytes, and claims without usable values, are not passed`() throws {
        let names = IdentityFields.Names.response([.groups])
        let of = { (count: Int) in
            identity(("groups", .values([String(repeating: "g", count: count)])), groups: "groups")
        }
        // The names, the subject, the address and the separators take 71 bytes.
        #expect(IdentityFields.objection(to: of(3_001), as: names) == nil)
        #expect(IdentityFields.objection(to: of(3_002), as: names) == .fieldsTooLarge)
        #expect(IdentityFields.objection(to: of(3_002), as: .response([])) == nil)
        let faults: [(ClaimFault, Denial?)] = [
            (.absent, nil), (.type, .claimType), (.tooLarge, .claimTooLarge), (.distributed, .claimDistributed),
        ]
        for (fault, denial) in faults {
            let member = identity(("groups", .unusable(fault)), groups: "groups")
            #expect(IdentityFields.objection(to: member, as: names) == denial)
            #expect(denial.map { names.claims(of: member, rejectedBy: $0) } ?? [.groups] == [.groups])
        }
        #expect(IdentityFields.objection(to: identity(), as: names) == nil)
    }
}
