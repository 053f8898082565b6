import ArgumentParser
import FastCGI
import Sessions
import Settings

/// Why the program cannot start, with its exit status.
struct StartFailure: Error, CustomStringConvertible {
    let description: String
    let exitCode: ExitCode
    /// The wrong settings, if they are the cause and are known.
    var problems: [ConfigurationError.Problem] = []

    static let nothingInherited = misconfigured(
        "SIGNIN_LISTEN is inherited, but neither descriptor 0 nor LISTEN_FDS is a listening socket"
    )

    static func inheritedElsewhere(_ place: String, named path: String) -> StartFailure {
        misconfigured(
            "SIGNIN_LISTEN is unix:\(path), but the program was started with the socket \(place): remove "
                + "SIGNIN_LISTEN, or change ListenStream= in the socket unit to \(path)"
        )
    }

    static func misconfigured(_ error: any Error) -> StartFailure {
        let problems = (error as? ConfigurationError)?.problems ?? []
        return StartFailure(description: "\(error)", exitCode: .misconfigured, problems: problems)
    }

    static func misconfigured(_ message: String) -> StartFailure {
        StartFailure(description: message, exitCode: .misconfigured)
    }

    static func badInput(_ message: String) -> StartFailure {
        StartFailure(description: message, exitCode: .badInput)
    }

    /// Does work with an address, a user or a group that a setting names.
    ///
    /// - Parameters:
    ///   - setting: The setting.
    ///   - work: The work.
    /// - Returns: What the work returns.
    /// - Throws: `StartFailure` that names the setting; its exit status says whether a later attempt could succeed.
    static func naming<Success>(
        _ setting: Setting,
        _ work: () throws(FastCGIError) -> Success
    ) throws(StartFailure) -> Success {
        do throws(FastCGIError) {
            return try work()
        } catch {
            let problems = [ConfigurationError.Problem(subject: setting.name, message: "\(error)")]
            if error.isForOperator { throw .misconfigured(ConfigurationError(problems: problems)) }
            throw .unavailable(ConfigurationError(problems: problems))
        }
    }

    /// Does work with the store.
    ///
    /// - Throws: `StartFailure` if the store fails.
    static func ofStore<Success>(_ work: () throws(StoreError) -> Success) throws(StartFailure) -> Success {
        do throws(StoreError) {
            return try work()
        } catch {
            throw .unavailable(error)
        }
    }

    static func cannotCreate(_ message: String) -> StartFailure {
        StartFailure(description: message, exitCode: .cannotCreate)
    }

    static func unavailable(_ error: any Error) -> StartFailure {
        StartFailure(description: "\(error)", exitCode: .unavailable)
    }

    static func unavailable(_ message: String) -> StartFailure {
        StartFailure(description: message, exitCode: .unavailable)
    }
}
