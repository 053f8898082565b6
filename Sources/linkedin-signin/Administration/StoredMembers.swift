import ArgumentParser
import Encoding
import Sessions

import struct FoundationEssentials.Date

/// The member that a command is about.
struct MemberOptions: ParsableArguments {
    // A subject can begin with a hyphen.
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("The member with this subject, as in GET /session.", valueName: "subject")
    )
    var subject: [Subject] = []

    @Option(
        help: ArgumentHelp(
            "Each member with this e-mail address, in upper or lower case.",
            valueName: "address"
        )
    )
    var email: [Address] = []

    func validate() throws {
        // The library would use the last one, and the operator would believe that the command is about all of them.
        guard subject.count < 2, email.count < 2 else {
            throw ValidationError("Write --subject and --email only once.")
        }
    }

    /// How many of the options are given.
    var count: Int { subject.count + email.count }

    /// The options as words of a command line.
    var words: String {
        (subject.map { "--subject " + ShellWord.quoted($0.text) } + email.map { "--email " + ShellWord.quoted($0.text) })
            .joined(separator: " ")
    }
}

/// A personal token, and its owner at the last sign-in.
struct OwnedToken {
    let token: TokenRecord
    let owner: Identity

    var id: PersonalTokenID { token.id }
    var grant: TokenGrant { token.grant }
}

/// The personal tokens in a store, and their owners.
struct OwnedTokens {
    /// The tokens that have not ended, the newest first.
    let all: [OwnedToken]
    /// The owners, also of tokens that have ended and are not removed yet.
    let owners: [Identity]

    /// Reads all tokens.
    ///
    /// - Throws: `StartFailure` if the store fails.
    init(in store: Vault) throws(StartFailure) {
        let now = Date()
        let tokens = try waitForStore { () async throws(StoreError) in try await store.tokens.tokens(of: nil, now: now)
        }
        let stored = try waitForStore { () async throws(StoreError) in try await store.tokens.tokenOwners() }
        // A damaged record of an owner must not hide the tokens.
        let known = (stored + tokens.map { Identity($0.grant.owner) }).map { ($0.member, $0) }
        let owners = Dictionary(known, uniquingKeysWith: { first, _ in first })
        let owned = tokens.map { OwnedToken(token: $0, owner: owners[$0.grant.owner] ?? Identity($0.grant.owner)) }
        all = owned.newestFirst
        self.owners = Array(owners.values)
    }
}

/// The members of whom a store has sessions or personal tokens.
struct StoredMembers {
    let sessions: SessionList
    let tokens: OwnedTokens
    private let identities: [Identity]

    /// Reads all sessions and personal tokens.
    ///
    /// - Throws: `StartFailure` if the store fails.
    init(in store: Vault) throws(StartFailure) {
        sessions = try SessionWalk(store: store).sessions()
        tokens = try OwnedTokens(in: store)
        identities = sessions.live.map(\.identity) + tokens.owners
    }

    /// The members that an operator chose.
    ///
    /// An e-mail address chooses the member, not the session: it also chooses the member's sessions with an earlier address.
    ///
    /// - Returns: Nil if the options choose none; the set is empty if nothing is stored about the chosen member.
    func members(_ options: MemberOptions) -> Set<Member>? {
        guard options.count > 0 else { return nil }
        let bySubject = options.subject.first.map { subject in members { $0.uniqueSubject == subject.text } }
        let byEmail = options.email.first.map { email in members { $0.hasEmail(email.text) } }
        guard let bySubject else { return byEmail }
        return byEmail.map(bySubject.intersection) ?? bySubject
    }

    private func members(_ isChosen: (Identity) -> Bool) -> Set<Member> {
        Set(identities.filter(isChosen).map(\.member))
    }
}

extension Identity {
    /// Whether this is the e-mail address, in any case.
    func hasEmail(_ address: String) -> Bool {
        email?.lowercased() == address.lowercased()
    }
}
