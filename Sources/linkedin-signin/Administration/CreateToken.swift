import ArgumentParser
import HTTP
import POSIX
import Sessions
import Settings
import SignIn

import struct FoundationEssentials.Date

/// `tokens create`: makes a token for a member.
struct CreateToken: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a personal token for a member, and print it.",
        // By hand, because the library does not wrap this line.
        usage: """
            linkedin-signin tokens create --subject <subject> --name <name>
              --location <path> ... --expires-after <time> [--email <address>]
              [--site <site>] [--settings-file <file>] [--json]
            """,
        discussion: """
            Prints the token to standard output; no command can print the same token again:

              linkedin-signin tokens create --subject 782bbtaQ --name backup \\
                --location /reports/ --expires-after 30d > token

            With a personal token, the rules of guarded locations see the identity of the \
            member's last sign-in. If the member has no session and no other personal token, \
            the rules see no e-mail address, unless you write --email. The program does not \
            verify the address in --email.

            Exits with 0; with 65 if the token that the options describe cannot be made; \
            with 69 if the store cannot be used; with 78 if the settings are wrong or \
            SIGNIN_PERSONAL_TOKENS is off.
            """
    )

    @OptionGroup var settings: SettingsOptions

    @Flag(help: "Print JSON, with the ID and the expiry time of the token.")
    var json = false

    // A subject can begin with a hyphen.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The subject of the owner, as in GET /session.", valueName: "subject")
    )
    var subject: Subject

    @Option(help: ArgumentHelp("A name by which people recognize the token.", valueName: "name"))
    var name: String

    @Option(
        help: ArgumentHelp(
            "A path below which the token may be used; / for every guarded location; may be repeated.",
            valueName: "path"
        )
    )
    var location: [String]

    @Option(help: ArgumentHelp("The time until the token expires: 12h, 30d.", valueName: "time"))
    var expiresAfter: Age

    @Option(help: ArgumentHelp("The verified e-mail address of a member without a session.", valueName: "address"))
    var email: Address?

    func perform() throws(StartFailure) {
        let maximum = try maximumLife()
        let wanted = try wanted(maximum)
        let opened = try SessionsCommand.store(settings, toChange: true)
        let owner = try owner(in: opened.store, opened.issuer)
        let grant = wanted.grant(to: owner, now: Date())
        let token = try waitForStore { () async throws(StoreError) in
            try await opened.store.tokens.makeToken(grant, owner: owner)
        }
        guard let token else {
            let message =
                "the member has \(TokenLimits.owned) personal tokens, or the store \(TokenLimits.total): "
                + "revoke some first"
            throw .badInput(message)
        }
        let members = grant.members(PersonalTokenSeal(token).id, of: owner)
        print(json ? SessionText.object([("token", SessionText.quoted(token.text))] + members) : token.text)
    }

    private func maximumLife() throws(StartFailure) -> Int {
        let stored = try settings.read { sources throws(ConfigurationError) in try StoreSettings(sources) }
        if let maximum = stored.personalTokenLife { return maximum }
        let message = "\(Setting.personalTokens.name) is off: set it to the longest life of a token, such as 90d"
        throw .misconfigured(message)
    }

    private func wanted(_ maximum: Int) throws(StartFailure) -> WantedToken {
        let message: String
        do throws(WantedToken.Fault) {
            return try WantedToken(
                name: name,
                locations: location,
                life: Int(exactly: expiresAfter.seconds) ?? .max,
                maximumLife: maximum
            )
        } catch {
            switch error {
            case .name:
                message =
                    "--name must have 1 to \(WantedToken.nameLimit) characters, one of them visible, and no control character"
            case .locations:
                message = "--location: write 1 to \(WantedToken.locationLimit) paths"
            case .path(let path):
                message = "--location \(path): \(PlainPath.rule), and has at most \(WantedToken.pathLimit) characters"
            case .life:
                message =
                    "--expires-after must be between 1m and \(maximum / 86_400)d (\(Setting.personalTokens.name))"
            }
        }
        throw .badInput(message)
    }

    /// The identity for the rules: of earlier tokens, of the newest session, or what the operator says.
    private func owner(in store: Vault, _ issuer: String) throws(StartFailure) -> Identity {
        // First: each sign-in updates it, and the session of the last sign-in may have ended before an earlier one.
        let member = Member(uniqueSubject: subject.text, issuer: issuer)
        let known = try waitForStore { () async throws(StoreError) in try await store.tokens.tokenOwner(member) }
        if let known { return try checked(known) }
        let sessions = try SessionWalk(store: store).sessions().live
        let own = sessions.filter { $0.identity.member == member }
        if let newest = own.max(by: { $0.created < $1.created }) {
            return try checked(newest.identity)
        }
        Console.tell(
            "no session and no personal token of a member with the subject \(SessionText.printable(subject.text)) is stored: if "
                + "the subject is wrong, revoke this token"
        )
        var identity = Identity(member)
        (identity.email, identity.emailVerified) = (email?.text, email != nil)
        return identity
    }

    /// The identity, unless the operator names another address than the provider.
    private func checked(_ identity: Identity) throws(StartFailure) -> Identity {
        guard let email, !identity.hasEmail(email.text) else { return identity }
        let known = identity.email.map(SessionText.printable) ?? "no address"
        let message = "--email: the member signed in with \(known); remove the option"
        throw .badInput(message)
    }
}
