import OpenID

/// LinkedIn's scopes: each belongs to a product, which the application at LinkedIn must have.
package enum LinkedInScope {
    private static let signIn = "Sign In with LinkedIn using OpenID Connect"

    /// LinkedIn's name of the product that grants a scope; nil for a scope that this program does not know.
    package static func product(granting scope: String) -> String? {
        switch scope {
        case "openid", "profile", "email": signIn
        case "r_profile_basicinfo", "r_verify", "r_verify_details", "r_primary_current_experience",
            "r_most_recent_education":
            LinkedInProduct.linkProductName
        case "r_basicprofile": "Community Management API"
        case "w_member_social": "Share on LinkedIn"
        default: nil
        }
    }

    /// The names of the products that grant these scopes, each once, in the order of the scopes.
    package static func products(granting scopes: [String]) -> [String] {
        scopes.compactMap(product).reduce(into: []) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }

    /// Notes about scopes that LinkedIn would refuse, for the operator.
    package static func notes(on scopes: [String]) -> [String] {
        var notes: [String] = []
        for scope in scopes where ["r_liteprofile", "r_emailaddress", "r_fullprofile"].contains(scope) {
            notes.append(
                "SIGNIN_SCOPES: LinkedIn no longer grants \(scope) to new applications; the product “\(signIn)” has the "
                    + "scopes openid, profile and email instead"
            )
        }
        if scopes == ["openid"] {
            notes.append("SIGNIN_SCOPES: LinkedIn rejects openid without another scope; add profile or email")
        }
        return notes
    }

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
