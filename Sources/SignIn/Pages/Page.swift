/// A page of the product, with everything it shows.
package enum Page: Sendable {
    case home(HomePage)
    case profile(ProfilePage)
    /// After sign-out: the session here has ended, the one at the provider has not.
    case signedOut
    case problem(Problem)

    /// Whether there is a form in it, whose `Origin` says that it is ours.
    var holdsForm: Bool {
        if case .home(let home) = self { home.signedIn != nil } else { false }
    }
}
