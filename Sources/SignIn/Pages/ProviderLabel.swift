/// What pages call the provider, and what they can say about it.
package struct ProviderLabel: Sendable, Equatable {
    package let name: String
    /// The provider's own sign-out page; nil if none is known.
    package let signOutPage: ExternalLink?
    /// The provider's product that gives profile links, to be told where there is none; nil if links need no product.
    package let linkProduct: String?

    package init(name: String, signOutPage: ExternalLink? = nil, linkProduct: String? = nil) {
        self.name = name
        self.signOutPage = signOutPage
        self.linkProduct = linkProduct
    }

    package static let linkedIn = ProviderLabel(
        name: "LinkedIn",
        signOutPage: ExternalLink("https://www.linkedin.com/m/logout/"),
        linkProduct: "Verified on LinkedIn"
    )
}
