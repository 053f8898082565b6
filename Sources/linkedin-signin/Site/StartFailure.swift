import ArgumentParser
import Settings

/// Why the program cannot start, with its exit status.
struct StartFailure: Error, CustomStringConvertible {
    let description: String
    let exitCode: ExitCode
    /// The wrong settings, if they are the cause and are known.
    var problems: [ConfigurationError.Problem] = []

    static let nothingInherited = StartFailure(
        description: "SIGNIN_LISTEN is inherited, but neither descriptor 0 nor LISTEN_FDS is a listening socket",
        exitCode: .misconfigured
    )

    static func inheritedElsewhere(_ place: String, named path: String) -> StartFailure {
        StartFailure(
            description: "SIGNIN_LISTEN is unix:\(path), but the program was started with the socket \(place): remove "
                + "SIGNIN_LISTEN, or change ListenStream= in the socket unit to \(path)",
            exitCode: .misconfigured
        )
    }

    static func misconfigured(_ error: any Error) -> StartFailure {
        let problems = (error as? ConfigurationError)?.problems ?? []
        return StartFailure(description: "\(error)", exitCode: .misconfigured, problems: problems)
    }

    static func unavailable(_ error: any Error) -> StartFailure {
        StartFailure(description: "\(error)", exitCode: .unavailable)
    }

    static func unavailable(_ message: String) -> StartFailure {
        StartFailure(description: message, exitCode: .unavailable)
    }
}
