import ArgumentParser

/// Why the program cannot start, and with what status it says so.
struct StartFailure: Error, CustomStringConvertible {
    let description: String
    let exitCode: ExitCode

    static let nothingInherited = StartFailure(
        description: "SIGNIN_LISTEN: says inherited, but neither descriptor 0 nor LISTEN_FDS is a listening socket",
        exitCode: .misconfigured
    )

    static func misconfigured(_ error: any Error) -> StartFailure {
        StartFailure(description: "\(error)", exitCode: .misconfigured)
    }

    static func unavailable(_ error: any Error) -> StartFailure {
        StartFailure(description: "\(error)", exitCode: .unavailable)
    }
}
