/// The LinkedIn product of the application, which determines the scopes and the source of the profile link.
package enum LinkedInProduct: String, CaseIterable, Sendable {
    /// “Sign In with LinkedIn using OpenID Connect”: available to every application; has no profile link.
    case openid
    /// “Verified on LinkedIn”: the basic profile contains the link.
    case verified
    /// For community and advertising partners: the link is built from the vanity name.
    case basicProfile = "basic-profile"
    /// The API of 2015, which LinkedIn closed in 2019; other servers may still offer it.
    case v1

    /// LinkedIn's name of the product that any application can add to get profile links.
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

    /// Whether the product gives verified e-mail addresses; rules ignore unverified ones.
    package var givesVerifiedEmail: Bool { issuesIDToken }

    /// Whether the subject of a member is the address of the profile, and not an identifier.
    package var identifiesByAddress: Bool { self == .v1 }

    /// The address of the profile.
    package var profileEndpoint: String {
        switch self {
        case .openid: LinkedIn.userinfoEndpoint
        case .verified: "https://api.linkedin.com/rest/identityMe"
        case .basicProfile: "https://api.linkedin.com/v2/me"
        case .v1: "https://api.linkedin.com/v1/people/~:(public-profile-url)?format=json"
        }
    }
}
