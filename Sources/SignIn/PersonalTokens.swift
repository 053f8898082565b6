package import Sessions

/// The personal tokens of a site, and whether guarded locations accept them.
package struct PersonalTokens: Sendable {
    let store: any PersonalTokenStore
    /// The longest life of a token in seconds; nil if the site makes and accepts none.
    let maximumLife: Int?
    let guesses: TokenGuesses

    /// - Parameters:
    ///   - store: The store of the tokens.
    ///   - maximumLife: The longest life of a token in seconds; nil: the site makes and accepts none.
    ///   - predecessor: The same site with other settings.
    package init(store: any PersonalTokenStore, maximumLife: Int?, continuing predecessor: PersonalTokens? = nil) {
        self.store = store
        self.maximumLife = maximumLife
        guesses = predecessor?.guesses ?? TokenGuesses()
    }
}
