import ArgumentParser
import Foundation

@main
struct LinkedInSimulator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "linkedin-simulator",
        abstract: "Simulates LinkedIn's sign-in and API endpoints on 127.0.0.1, for demonstrations and tests.",
        usage: Help.usage,
        discussion: Help.discussion
    )

    @Option(help: "Port on 127.0.0.1; 0 lets the system choose one.")
    var port: UInt16 = 0

    @Option(help: ArgumentHelp("The application's client ID.", valueName: "id"))
    var clientID = Settings().clientID

    @Option(help: ArgumentHelp("The application's name for members (default: the client ID).", valueName: "name"))
    var applicationName: String?

    @Option(help: ArgumentHelp("The application's client secret.", valueName: "secret"))
    var clientSecret = Settings().clientSecret

    @Option(
        name: .customLong("redirect-uri"),
        help: ArgumentHelp("A registered redirect URI, compared exactly; may be repeated.", valueName: "uri")
    )
    var redirectURIs = Settings().redirectURIs

    @Option(help: ArgumentHelp("Issuer in tokens and discovery (default: <base URL>/oauth).", valueName: "url"))
    var issuer: String?

    @Flag(name: .customLong("oidc"), help: "Behave like a standard OpenID provider instead of like LinkedIn.")
    var isStandard = false

    @Option(help: ArgumentHelp("Size of the signing key; LinkedIn's key has 4096 bits.", valueName: "bits"))
    var keyBits = Settings().keyBits

    @Option(help: ArgumentHelp("The first signing key, in PEM (default: a new key).", valueName: "file"))
    var signingKey: String?

    @Flag(help: "Do not log requests to standard error.")
    var quiet = false

    func validate() throws {
        guard [2048, 3072, 4096].contains(keyBits) else {
            throw ValidationError("--key-bits must be 2048, 3072 or 4096")
        }
    }

    func run() async throws {
        let isQuiet = quiet
        let key = try firstKey()
        let simulator = try Simulator(settings: settings, key: key, log: { if !isQuiet { Self.log($0) } })
        let server = try Server(port: port, simulator: simulator)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask {
                let signals = await TerminationSignals()
                let base = try await server.start()
                FileHandle.standardOutput.write(Data("listening on \(base)\n".utf8))
                await signals.wait()
            }
            try await group.next()
            group.cancelAll()
        }
    }

    private func firstKey() throws -> SigningKeys.Key? {
        guard let signingKey else { return nil }
        let text = try? String(contentsOfFile: signingKey, encoding: .utf8)
        guard let key = text.flatMap({ try? SigningKeys.Key(pem: $0) }) else {
            throw ValidationError("--signing-key: \(signingKey) is not a readable RSA key in PEM")
        }
        return key
    }

    private var settings: Settings {
        var settings = Settings()
        settings.clientID = clientID
        settings.applicationName = applicationName
        settings.clientSecret = clientSecret
        settings.redirectURIs = redirectURIs
        settings.issuerOverride = issuer
        settings.isStandard = isStandard
        settings.keyBits = keyBits
        return settings
    }

    private static func log(_ line: String) {
        FileHandle.standardError.write(Data("linkedin-simulator: \(line)\n".utf8))
    }
}
