/// A page of the program with its content.
package enum Page: Sendable {
    case home(HomePage)
    case profile(ProfilePage)
    /// The page after sign-out: the session of this site has ended, but the session at the provider has not.
    ///
    /// Signing in again leads to `returnPath`, a local path.
    case signedOut(returnPath: String? = nil)
    /// A form that was kept, to be sent now.
    case resume(KeptFormPage)
    case problem(Problem)

    /// Whether the page contains a form, so that the browser must send `Origin` with it.
    package var holdsForm: Bool {
        switch self {
        case .home(let home): home.signedIn != nil
        case .resume: true
        case .problem(let problem): problem.switchesAccount
        case .profile, .signedOut: false
        }
    }
}
