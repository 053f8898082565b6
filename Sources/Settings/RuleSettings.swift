/// The settings that change what a rule means; nil for a setting that is invalid or not known.
package struct RuleSettings: Sendable {
    /// The product that members sign in with.
    package let product: LinkedInProduct?
    /// Seconds after which every session ends.
    package let sessionLifetime: Int?

    package init(product: LinkedInProduct? = nil, sessionLifetime: Int? = nil) {
        self.product = product
        self.sessionLifetime = sessionLifetime
    }
}
