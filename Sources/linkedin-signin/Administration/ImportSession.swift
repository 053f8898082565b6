import ArgumentParser
import EventLog
import OpenID
import POSIX
import Sessions
import Settings
import SignIn

import struct FoundationEssentials.Date

/// `sessions import`: creates the session of an access token that another program obtained.
struct ImportSession: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Create a session from an access token on standard input.",
        // By hand, because the library does not wrap this line.
        usage: """
            linkedin-signin sessions import [--site <site>]
              [--settings-file <file>] [--cookie-file <file>]
              [--provider <id>]
            """,
        discussion: """
            Asks LinkedIn which member the access token belongs to, stores a session of this \
            member and prints the session cookie. No command can print the same cookie \
            again:

              linkedin-signin sessions import --cookie-file cookie < token
              curl --header @cookie https://example.com/profile

            LinkedIn must have issued the token to the application in LINKEDIN_CLIENT_ID, \
            with every scope that a sign-in requests. sessions import reads the token only \
            from standard input, because other users of the machine can see the arguments of \
            a process.

            sessions import uses the settings of serve. If root runs it, it acts as the \
            owner of the state directory; any other user must be the user of serve.

            Exits with 0 if the session was stored; with 65 if the token was rejected; with \
            69 if LinkedIn or the store cannot be used; with 73 if the cookie file cannot be \
            created; with 78 if the settings are wrong.
            """
    )

    @OptionGroup var settings: SettingsOptions

    @Option(
        help: ArgumentHelp(
            "Write the cookie to this new file, with mode 0600, instead of standard output.",
            valueName: "file"
        ),
        completion: .file()
    )
    var cookieFile: String?

    @Option(
        help: ArgumentHelp(
            "The provider that issued the token, by the name of the provider's file; by default, the provider of the settings file.",
            valueName: "id"
        )
    )
    var provider: String?

    func perform() throws(StartFailure) {
        let configuration = try settings.read { sources throws(ConfigurationError) in try Configuration(sources) }
        let id = provider.flatMap(ProviderID.init)
        guard provider == nil || configuration.providers.contains(where: { $0.id == id }) else {
            let names = configuration.providers.map(\.id.description).joined(separator: ", ")
            throw .misconfigured("--provider: the site has the providers \(names)")
        }
        let token = try Self.token()
        guard let cookieFile else { return try store(token, configuration, write: Self.print) }
        let file = try Self.create(cookieFile)
        do throws(StartFailure) {
            try store(token, configuration) { line throws(StartFailure) in
                try Self.write(line, to: file, at: cookieFile)
            }
        } catch {
            ActingUser.becomeRoot()
            file.remove()
            throw error
        }
    }

    /// Stores the session and prints its cookie; a session whose cookie is lost is removed again.
    private func store(
        _ token: String,
        _ configuration: Configuration,
        write: (String) throws(StartFailure) -> Void
    ) throws(StartFailure) {
        let sink = LogSink()
        defer { sink.flush() }
        let program = try Program(
            configuration,
            log: Log(least: .warning, write: sink.write),
            stateDirectory: try SessionsCommand.enter(configuration.storing.directory, of: settings)
        )
        let storing = configuration.storing
        Console.tellStore(of: configuration.mount.baseURL, storing.database, storing.directory)
        let (ticket, session) = try imported(token, by: program)
        do throws(StartFailure) {
            try write(SessionCookie.field(ticket) + "\n")
        } catch {
            _ = try? wait { () async throws(StoreError) in try await program.store.sessions.remove(ticket) }
            throw error
        }
        program.closeStore()
        let end = session.expires.formatted(.iso8601)
        Console.tell("imported a session of subject \(session.identity.uniqueSubject), which expires at \(end)")
    }

    private func imported(_ token: String, by program: Program) throws(StartFailure) -> (Ticket, Session) {
        do {
            let id = provider.flatMap(ProviderID.init)
            return try program.perform { try await $0.newSessions.importSession(accessToken: token, at: id) }
        } catch let error as OpenIDError {
            throw StartFailure(importFailed: error)
        } catch {
            throw .unavailable(error)
        }
    }

    // MARK: - Input and output

    /// The one line of standard input.
    private static func token() throws(StartFailure) -> String {
        let content: [UInt8]?
        do throws(SystemError) {
            // Longer than every token.
            content = try StandardInput.read(atMost: 16_384)
        } catch {
            throw .badInput("cannot read standard input: \(error)")
        }
        // On Windows, lines end with CR LF.
        let lines = content?.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let lines, lines.dropFirst().allSatisfy(\.isEmpty), let line = lines.first, !line.isEmpty else {
            throw .badInput("standard input must contain one line with the access token and nothing else")
        }
        let hasReturn = lines.count > 1 && line.last == UInt8(ascii: "\r")
        return String(decoding: hasReturn ? line.dropLast() : line, as: UTF8.self)
    }

    private static func print(_ line: String) throws(StartFailure) {
        Swift.print(line, terminator: "")
        do throws(SystemError) {
            try StandardOutput.flush()
        } catch {
            throw StartFailure(description: "cannot write to standard output: \(error)", exitCode: .outputFailed)
        }
    }

    private static func create(_ path: String) throws(StartFailure) -> NewFile {
        do throws(SystemError) {
            return try NewFile(path)
        } catch {
            throw .cannotCreate("--cookie-file “\(path)”: \(error)")
        }
    }

    private static func write(_ line: String, to file: borrowing NewFile, at path: String) throws(StartFailure) {
        do throws(SystemError) {
            try file.write(line)
        } catch {
            throw StartFailure(description: "--cookie-file “\(path)”: \(error)", exitCode: .outputFailed)
        }
    }
}

extension StartFailure {
    /// What happened, with its reason code, and what to do.
    fileprivate init(importFailed error: OpenIDError) {
        let advice: String
        var exitCode = ExitCode.badInput
        switch error.code {
        case .accessTokenMalformed: advice = "this is not an access token; write the token without “Bearer”"
        case .accessTokenInactive, .accessTokenForeign:
            advice =
                "LinkedIn does not accept the token: the token has expired, was revoked or belongs to another "
                + "application; get a token with the client ID in LINKEDIN_CLIENT_ID"
        case .accessTokenExpired: advice = "the token has expired; get a new token"
        case .accessTokenRevoked, .accessTokenRefused: advice = "the token was revoked; get a new token"
        case .accessTokenMemberless:
            advice = "the token belongs to an application, not to a member; get a token of a member"
        case .accessTokenScopes: advice = "the token lacks scopes; request every scope that a sign-in requests"
        case .accessDenied:
            advice =
                "LinkedIn does not let the token read the profile; set LINKEDIN_PRODUCT to the product of the application"
        case .clientRefused:
            (advice, exitCode) = ("LinkedIn rejects LINKEDIN_CLIENT_ID or its secret; correct them", .misconfigured)
        case .discoveryUnavailable, .discoveryMalformed, .discoveryIssuer, .malformedCallback, .issuerMismatch,
            .tokenUnavailable, .tokenThrottled, .codeRefused, .refreshRefused, .refreshForeign, .tokenMalformed,
            .revocationRefused, .idTokenMissing, .idTokenMalformed, .idTokenAlgorithm, .idTokenKey, .idTokenSignature,
            .idTokenIssuer, .idTokenAudience, .idTokenExpired, .idTokenTime, .idTokenFuture, .idTokenSubject,
            .idTokenNonce, .idTokenHash, .idTokenAuthenticationTime, .idTokenClaim, .logoutTokenMalformed,
            .keysUnavailable, .throttled, .gone, .versionRefused, .resourceUnavailable, .resourceMalformed,
            .subjectMismatch, .introspectionUnavailable, .introspectionThrottled, .introspectionMalformed, .busy:
            (advice, exitCode) = ("the program could not ask LinkedIn about the token; try again later", .unavailable)
        }
        let detail = error.logDetail.isEmpty ? "" : ": \(error.logDetail)"
        self.init(description: "\(advice) (\(error.code.rawValue)\(detail))", exitCode: exitCode)
    }
}
