/// The issuers of a provider that has one issuer for each of its tenants.
package struct TenantIssuers: Sendable, Equatable {
    /// The text of an issuer, with a placeholder for the tenant: the issuer in the provider's discovery document.
    package let template: String
    private let placeholder: String
    private let claim: String
    private let tenants: [String]

    /// - Parameters:
    ///   - template: an issuer with a placeholder.
    ///   - placeholder: the placeholder.
    ///   - claim: the claim of an ID token that names the tenant.
    ///   - tenants: the accepted tenants.
    package init(template: String, placeholder: String, claim: String, tenants: [String]) {
        (self.template, self.placeholder, self.claim, self.tenants) = (template, placeholder, claim, tenants)
    }

    /// The issuers of the accepted tenants.
    package var issuers: [String] { tenants.map(issuer) }

    /// The accepted tenant that the claims name; nil if it is another one, or if the issuer is not that tenant's.
    func tenant(of claims: Claims, issuer: String) -> String? {
        guard let tenant = claims[claim]?.stringValue, tenants.contains(where: tenant.isIdentical),
            isIssuer(issuer, ofTenantIn: claims)
        else { return nil }
        return tenant
    }

    /// Whether an issuer is that of the tenant that the claims name, accepted or not.
    func isIssuer(_ issuer: String, ofTenantIn claims: Claims) -> Bool {
        claims[claim]?.stringValue.map { issuer.isIdentical(to: self.issuer(of: $0)) } ?? false
    }

    /// Whether a key with this issuer in the provider's key set may sign tokens of another issuer.
    func isKey(of keyIssuer: String, for issuer: String) -> Bool {
        keyIssuer.isIdentical(to: template) || keyIssuer.isIdentical(to: issuer)
    }

    private func issuer(of tenant: String) -> String {
        let parts = template.split(separator: placeholder, maxSplits: 1, omittingEmptySubsequences: false)
        return parts.joined(separator: tenant)
    }
}
