package import OpenID

/// Microsoft Entra with an application for several tenants; one tenant is an OpenID provider like others.
///
/// A member is known by tenant and `sub`: Microsoft never gives the `sub` of one application to another account, and userinfo
/// repeats it, while `oid` is only in ID tokens. The address of a member never identifies anyone, because the administrator
/// of each tenant can choose it.
package enum Entra {
    /// Microsoft's placeholder in the issuer of its shared discovery documents.
    private static let placeholder = "{tenantid}"
    private static let shared = ["/common/v2.0", "/organizations/v2.0"]

    /// The issuer in the discovery document of an address for several tenants.
    ///
    /// - Parameter issuer: the configured address, such as `https://login.microsoftonline.com/organizations/v2.0`. Its host
    ///   is that of every tenant.
    /// - Returns: the issuer with a placeholder for the tenant; nil for the address of one tenant.
    package static func template(of issuer: String) -> String? {
        guard let end = shared.first(where: issuer.hasSuffix) else { return nil }
        return "\(issuer.dropLast(end.count))/\(placeholder)/v2.0"
    }

    /// Whether an issuer has the form of Entra's issuers, for one tenant or for several.
    package static func isIssuer(_ issuer: String) -> Bool {
        let parts = issuer.split(separator: "/").suffix(2).map(String.init)
        return template(of: issuer) != nil || parts.count == 2 && parts[1] == "v2.0" && isTenant(parts[0])
    }

    /// Whether a text is the identifier of a tenant, in lower case as in tokens.
    package static func isTenant(_ text: String) -> Bool {
        let lengths = text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
        return lengths == [8, 4, 4, 4, 12] && text == text.lowercased()
            && text.allSatisfy { $0 == "-" || $0.isASCII && $0.isHexDigit }
    }

    /// Admits only members of these tenants.
    ///
    /// - Parameters:
    ///   - tenants: identifiers of tenants.
    ///   - template: from `template(of:)`.
    ///   - options: the options to change.
    package static func admit(_ tenants: [String], template: String, to options: inout ProtocolOptions) {
        let accepted = TenantIssuers(template: template, placeholder: placeholder, claim: "tid", tenants: tenants)
        options.tenants = accepted
        options.issuers = accepted.issuers
        // Only this claim says that the tenant owns the domain of the address.
        options.dialect.verifiedEmailClaims = ["xms_edov"]
    }
}
