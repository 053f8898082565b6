import Guard

/// What an application learns about a member, by its names in configurations.
struct IdentityField: Sendable, Equatable {
    /// The header field for an application on HTTP.
    let header: String
    /// The parameter for an application on FastCGI or CGI.
    let parameter: String
    /// The end of nginx's variable; see `NginxParts.id` for its length.
    let variable: String

    /// The fields of every site.
    static let always = [
        IdentityField(header: "X-Auth-Subject", parameter: "REMOTE_USER", variable: "subject"),
        IdentityField(header: "X-Auth-Email", parameter: "AUTH_EMAIL", variable: "email"),
        IdentityField(header: "X-Auth-Name", parameter: "AUTH_NAME", variable: "name"),
    ]

    private static let groups = IdentityField(
        header: ApplicationClaim.groups.header,
        parameter: ApplicationClaim.groups.parameter,
        variable: "groups"
    )

    /// The fields of a site whose applications get claims: those of every site, the groups, then the other claims.
    ///
    /// With `alwaysGroups`, the groups are among them even if applications do not get them, so that a configuration removes
    /// what a client sends under their name.
    static func all(claims names: [String], alwaysGroups: Bool) -> [IdentityField] {
        let named = names.map(ApplicationClaim.init).filter { $0 != .groups }.map { claim in
            IdentityField(header: claim.header, parameter: claim.parameter, variable: variable(of: claim))
        }
        return always + (alwaysGroups || names.map(ApplicationClaim.init).contains(.groups) ? [groups] : []) + named
    }

    /// Seven characters of a hash (FNV-1a): a claim keeps its variable when the settings name other claims, because operators
    /// write the variable into lines for uWSGI and SCGI.
    private static func variable(of claim: ApplicationClaim) -> String {
        let hash = claim.parameter.utf8.reduce(0x811c_9dc5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        let digits = String(hash & 0xff_ffff, radix: 16)
        return "c" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// The end of nginx's variables with the field of a request, as in `$http_x_auth_subject`, and of a response.
    var nginxName: String { header.lowercased().replacing("-", with: "_") }
}
