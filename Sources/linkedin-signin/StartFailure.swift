import ArgumentParser

/// Why the program cannot start, with its exit status.
struct StartFailure: Error, CustomStringConvertible {
    let description: String
    let exitCode: ExitCode

    static let nothingInherited = StartFailure(
        description: "SIGNIN_LISTEN is inherited, but neither descriptor 0 nor LISTEN_FDS is a listening socket",
        exitCode: .misconfigured
    )

    static func misconfigured(_ error: any Error) -> StartFailure {
        StartFailure(description: "\(error)", exitCode: .misconfigured)
    }

    static func unavailable(_ error: any Error) -> StartFailure {
        StartFailure(description: "\(error)", exitCode: .unavailable)
    }
}
