import OpenID

extension LinkedInScope {
    /// What the operator can do about an error callback, for the log; empty if nothing is known.
    ///
    /// `scope` is the requested scope that LinkedIn named, if any.
    static func advice(on error: AuthorizationErrorCode, scope: String?, requested: [String]) -> String {
        switch error {
        case .scopeRefused: adviceOnRefusal(of: scope.map { [$0] } ?? requested)
        case .scopeUnknown:
            "LinkedIn does not know \(scope.map { "the scope \($0)" } ?? "a scope"): correct SIGNIN_SCOPES"
        case .scopeInsufficient: "LinkedIn rejects openid without another scope: add profile or email to SIGNIN_SCOPES"
        case .cancelled, .temporarilyUnavailable, .serverError, .invalidRequest, .other: ""
        }
    }

    private static func adviceOnRefusal(of scopes: [String]) -> String {
        let products = products(granting: scopes).map { "“\($0)”" }.joined(separator: " and ")
        let subject = "LinkedIn does not grant \(scopes.joined(separator: " ")) to this application"
        guard !products.isEmpty else { return "\(subject): correct SIGNIN_SCOPES" }
        return "\(subject): request the product \(products) for it, or change LINKEDIN_PRODUCT"
    }
}
