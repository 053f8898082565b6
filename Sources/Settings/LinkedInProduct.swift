/// What the developer's application was granted at LinkedIn, which decides its scopes and where a profile link is.
package enum LinkedInProduct: String, CaseIterable, Sendable {
    /// “Sign In with LinkedIn using OpenID Connect”: every application gets it; no profile link.
    case openid
    /// “Verified on LinkedIn”: the link comes with the basic profile.
    case verified
    /// Community or advertising partners: the vanity name makes the link.
    case basicProfile = "basic-profile"
    /// The API of 2015, which LinkedIn closed in 2019; other servers may still speak it.
    case v1

    /// What LinkedIn calls the product that any application can add to get profile links.
    package static let linkProductName = "Verified on LinkedIn"

    var scopes: [String] {
        switch self {
        case .openid: ["openid", "profile", "email"]
        case .verified: ["openid", "profile", "email", "r_profile_basicinfo"]
        case .basicProfile, .v1: ["r_basicprofile"]
        }
    }

    var issuesIDToken: Bool {
        switch self {
        case .openid, .verified: true
        case .basicProfile, .v1: false
        }
    }

    /// Whether members can be told apart by an e-mail address, which rules take only if it is verified.
    package var givesVerifiedEmail: Bool {
        switch self {
        case .openid, .verified: true
        case .basicProfile, .v1: false
        }
    }

    /// What an operator could set without any effect, and so must not.
    var unusedSettings: [Setting] {
        switch self {
        case .openid: [.linkedInVersion, .profileEndpoint]
        case .verified: [.userinfoEndpoint]
        case .basicProfile, .v1: [.linkedInVersion, .userinfoEndpoint, .jwksURI]
        }
    }

    var profileEndpoint: String {
        switch self {
        case .openid: "https://api.linkedin.com/v2/userinfo"
        case .verified: "https://api.linkedin.com/rest/identityMe"
        case .basicProfile: "https://api.linkedin.com/v2/me"
        case .v1: "https://api.linkedin.com/v1/people/~:(public-profile-url)?format=json"
        }
    }
}
