/// A page of the product, with everything it shows.
package enum Page: Sendable {
    case home(HomePage)
    case profile(ProfilePage)
    /// After sign-out: the session here has ended, the one at the provider has not.
    ///
    /// Signing in again leads to the return path, a local one.
    case signedOut(returnPath: String? = nil)
    /// A form that was kept, to be sent now.
    case resume(KeptFormPage)
    case problem(Problem)

    /// Whether there is a form in it, whose `Origin` says that it is ours.
    package var holdsForm: Bool {
        switch self {
        case .home(let home): home.signedIn != nil
        case .resume: true
        case .problem(let problem): problem.switchesAccount
        case .profile, .signedOut: false
        }
    }
}
