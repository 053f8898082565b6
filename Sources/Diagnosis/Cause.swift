package import Encoding

/// What a finding is about that fails by itself, and that may explain other findings.
package indirect enum Cause: Hashable, Sendable {
    /// The settings of one site have the state directory of another.
    case otherSite
    /// The program has other settings.
    case otherProgram
    /// The program does not start.
    case startFailed
    /// The web server gets no answer from the program.
    case programStopped
    /// The program does not answer; lines in drop-in files may be why it did not start.
    case noAnswer
    /// systemd may have stopped the program or the web server because of `Conflicts=`.
    case unitStopped
    /// The program closes the connections of the web server's user.
    case userRefused
    /// The provider refuses the new value of a setting.
    case refused(_ setting: String)
    /// The program's user cannot read a file.
    case unreadable(_ path: String)
    /// Permissions keep the program's user from reading files.
    case denied(Advice.Denial)
    /// The running program has another value of a setting.
    case changed(_ setting: String)
    /// Every user can write a file.
    case exposed(_ path: String)
    /// libcurl cannot use a proxy.
    case malformedProxy(String)
    /// A proxy does not respond.
    case failingProxy(String)
    /// What a setting names, such as an endpoint or the store, cannot be used.
    case setting(_ name: String)
    /// A host of a provider cannot be used.
    case host(String)
    /// The program gave a reason that no finding explains.
    case reason(String)
    /// The cause concerns one of several providers.
    case ofProvider(_ id: String, Cause)
}

extension Set<Cause> {
    /// A program that does not start.
    package static var noStart: Self { [.programStopped, .startFailed] }
    /// A program that cannot use the settings: it does not start, or keeps other ones.
    package static var refused: Self { noStart.union([.otherProgram]) }
    /// A program that does not answer.
    static var silence: Self { [.programStopped, .noAnswer, .unitStopped] }
}
