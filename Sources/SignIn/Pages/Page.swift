/// A page of the product, with everything it shows.
package enum Page: Sendable {
    case home(HomePage)
    case profile(ProfilePage)
    /// After sign-out: the session here has ended, the one at the provider has not.
    case signedOut
    /// A form that was kept, to be sent now.
    case resume(ResumePage)
    case problem(Problem)

    /// Whether there is a form in it, whose `Origin` says that it is ours.
    var holdsForm: Bool {
        switch self {
        case .home(let home): home.signedIn != nil
        case .resume: true
        case .profile, .signedOut, .problem: false
        }
    }
}
