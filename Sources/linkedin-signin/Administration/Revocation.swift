import ArgumentParser
import Encoding
import Sessions

/// Which sessions or personal tokens a command ends.
struct RevocationOptions: ParsableArguments {
    @OptionGroup var member: MemberOptions

    @Flag(help: "Of all members.")
    var all = false

    @Argument(help: ArgumentHelp("The IDs, or at least their first 4 digits.", valueName: "id"))
    var ids: [SessionIDPrefix] = []

    func validate() throws {
        guard [ids.isEmpty ? 0 : 1, member.count, all ? 1 : 0].reduce(0, +) == 1 else {
            throw ValidationError("Write IDs, or one of --subject, --email and --all.")
        }
    }
}

/// How a command that ends something works and reports.
struct ChangeOptions: ParsableArguments {
    @Flag(help: "Change nothing; print what the command would end.")
    var dryRun = false

    @Flag(help: "Print JSON.")
    var json = false
}

/// Ends sessions and personal tokens, or finds out what would end.
struct Revocation {
    private let opened: OpenedStore
    private let settings: SettingsOptions
    private let change: ChangeOptions
    private var store: Vault { opened.store }

    /// What a command ends.
    struct Parts: OptionSet {
        let rawValue: Int
        static let sessions = Parts(rawValue: 1)
        static let tokens = Parts(rawValue: 2)
    }

    /// Opens the store of `serve`.
    ///
    /// - Throws: `StartFailure` if the settings are wrong or the store cannot be used.
    init(_ settings: SettingsOptions, _ change: ChangeOptions) throws(StartFailure) {
        (self.settings, self.change) = (settings, change)
        opened = try SessionsCommand.store(settings, toChange: true)
    }

    /// Prints what ended, and on standard error what still works.
    func report(_ ended: Ended) {
        ended.report(change, settings)
        guard opened.revokesTokens, let sessions = ended.sessions, sessions > 0 else { return }
        Console.tell(
            "sessions whose provider tokens are not revoked: \(sessions); the provider accepts these tokens until they expire, "
                + "because only the session cookie decrypts them"
        )
    }

    /// Ends what has one of some IDs, what a member has, or what all members have.
    ///
    /// - Throws: `StartFailure` if an ID is unknown or not unique, if nothing is stored about the member, or the store fails.
    func end(_ parts: Parts, of choice: RevocationOptions) throws(StartFailure) -> Ended {
        guard choice.ids.isEmpty else { return try parts == .tokens ? endTokens(choice.ids) : endSessions(choice.ids) }
        guard !choice.all else { return try endAll(parts) }
        guard let ended = try end(parts, ofMember: choice.member) else { throw .unknownMember(choice.member) }
        return ended
    }

    /// Ends what members have.
    ///
    /// Sessions end first, because a session can make a personal token.
    ///
    /// - Returns: What ended; nil if nothing is stored about the member.
    /// - Throws: `StartFailure` if the store fails; some sessions and tokens may have ended.
    func end(_ parts: Parts, ofMember options: MemberOptions) throws(StartFailure) -> Ended? {
        let stored = try StoredMembers(in: store)
        let known = stored.members(options) ?? []
        // The store may have more of a member than a list shows: sessions that ended and are not removed yet.
        let named = options.subject.map { Member(uniqueSubject: $0.text, issuer: opened.issuer) }
        let members = known.union(named)
        var ended = Ended(members: known)
        if parts.contains(.sessions) {
            ended.sessions = try count(stored.sessions.live.map(\.identity.member), members) {
                (store, member) async throws(StoreError) in
                try await store.sessions.remove(.all(of: member))
            }
        }
        if parts.contains(.tokens) {
            ended.tokens = try count(stored.tokens.all.map(\.owner.member), members) {
                (store, member) async throws(StoreError) in
                try await store.tokens.revokeAllTokens(of: member)
            }
        } else {
            ended.left = [try tokensLeft(of: known, named: options.words)]
        }
        return known.isEmpty && ended.sessions ?? 0 == 0 && ended.tokens ?? 0 == 0 ? nil : ended
    }

    /// Ends what all members have.
    ///
    /// - Throws: `StartFailure` if the store fails; some sessions and tokens may have ended.
    private func endAll(_ parts: Parts) throws(StartFailure) -> Ended {
        var ended = Ended(members: nil)
        if parts.contains(.sessions) {
            let list = try SessionWalk(store: store).sessions()
            ended.sessions = try end(list.live.map(\.id) + list.ended + list.unreadable)
        }
        let tokens = try OwnedTokens(in: store).all
        if parts.contains(.tokens) {
            ended.tokens = try end(tokens.map(\.id))
        } else {
            ended.left = [.init(count: tokens.count, words: "--all")]
        }
        return ended
    }

    /// Ends the sessions with these IDs.
    ///
    /// - Throws: `StartFailure` if one of them is unknown or not unique, which ends none, or if the store fails.
    private func endSessions(_ prefixes: [SessionIDPrefix]) throws(StartFailure) -> Ended {
        let walk = SessionWalk(store: store)
        var chosen: [SessionID: Member] = [:]
        for prefix in prefixes {
            let session = try walk.session(prefix)
            chosen[session.id] = session.identity.member
        }
        var ended = Ended(members: Set(chosen.values))
        ended.sessions = try end(Array(chosen.keys))
        for member in Set(chosen.values).sorted(by: { $0.uniqueSubject < $1.uniqueSubject }) {
            ended.left.append(
                try tokensLeft(of: [member], named: "--subject " + ShellWord.quoted(member.uniqueSubject))
            )
        }
        return ended
    }

    /// Revokes the personal tokens with these IDs.
    ///
    /// - Throws: `StartFailure` if one of them is unknown or not unique, which revokes none, or if the store fails.
    private func endTokens(_ prefixes: [SessionIDPrefix]) throws(StartFailure) -> Ended {
        let tokens = try OwnedTokens(in: store).all
        var chosen: [PersonalTokenID: Member] = [:]
        for prefix in prefixes {
            let token = try tokens.only(prefix)
            chosen[token.id] = token.grant.owner
        }
        var ended = Ended(members: Set(chosen.values))
        ended.tokens = try end(Array(chosen.keys))
        return ended
    }

    private func end(_ sessions: [SessionID]) throws(StartFailure) -> Int {
        try change.dryRun ? sessions.count : SessionWalk(store: store).remove(sessions)
    }

    private func end(_ tokens: [PersonalTokenID]) throws(StartFailure) -> Int {
        guard !change.dryRun else { return tokens.count }
        return try waitForStore { () async throws(StoreError) in try await store.tokens.revokeTokens(tokens, of: nil) }
    }

    /// Ends what members have, or counts those that have not ended.
    private func count(
        _ owners: [Member],
        _ members: Set<Member>,
        end: @escaping @Sendable (Vault, Member) async throws(StoreError) -> Int
    ) throws(StartFailure) -> Int {
        guard !change.dryRun else { return owners.count(where: members.contains) }
        var count = 0
        for member in members {
            count += try waitForStore { () async throws(StoreError) in try await end(store, member) }
        }
        return count
    }

    private func tokensLeft(of members: Set<Member>, named words: String) throws(StartFailure) -> Ended.Left {
        let tokens = try OwnedTokens(in: store).all
        return .init(count: tokens.count { members.contains($0.grant.owner) }, words: words)
    }
}

/// What a command ended, or would end.
struct Ended {
    /// Personal tokens that the command leaves, and the options of `tokens revoke` that name them.
    struct Left {
        let count: Int
        let words: String
    }

    /// The members, of whom something is stored; nil for all members.
    let members: Set<Member>?
    /// Nil if the command leaves sessions alone.
    var sessions: Int?
    /// Nil if the command leaves personal tokens alone.
    var tokens: Int?
    var left: [Left] = []
    /// The word for what happened to personal tokens.
    var verb = (done: "revoked", planned: "to revoke")

    /// Prints what ended, and on standard error how to end the personal tokens that are left.
    func report(_ options: ChangeOptions, _ settings: SettingsOptions) {
        if options.json {
            print(json(isDryRun: options.dryRun))
        } else {
            print(text(isDryRun: options.dryRun), terminator: "")
        }
        for left in left where left.count > 0 {
            let command = "linkedin-signin tokens revoke \(left.words)\(settings.words)"
            Console.tell("personal tokens that still work: \(left.count); to revoke them, run: \(command)")
        }
    }

    private func text(isDryRun: Bool) -> String {
        var lines: [String] = []
        if isDryRun {
            lines += sortedMembers.map { SessionText.printable("member: \($0.uniqueSubject) of \($0.issuer)") }
        }
        if let sessions { lines.append("sessions \(isDryRun ? "to remove" : "removed"): \(sessions)") }
        if let tokens { lines.append("personal tokens \(isDryRun ? verb.planned : verb.done): \(tokens)") }
        return lines.map { $0 + "\n" }.joined()
    }

    private func json(isDryRun: Bool) -> String {
        let members = sortedMembers.map { member in
            SessionText.object([
                ("subject", SessionText.quoted(member.uniqueSubject)), ("issuer", SessionText.quoted(member.issuer)),
            ])
        }
        return SessionText.object([
            ("dry_run", String(isDryRun)),
            ("members", self.members == nil ? "null" : "[\(members.joined(separator: ","))]"),
            ("sessions", String(sessions ?? 0)), ("personal_tokens", String(tokens ?? 0)),
            ("personal_tokens_left", String(left.map(\.count).reduce(0, +))),
        ])
    }

    private var sortedMembers: [Member] {
        (members ?? []).sorted { $0.uniqueSubject < $1.uniqueSubject }
    }
}

extension StartFailure {
    /// Nothing is stored about the member that the operator named.
    static func unknownMember(_ options: MemberOptions) -> StartFailure {
        let names =
            options.subject.map { "the subject \($0.text)" } + options.email.map { "the e-mail address \($0.text)" }
        let message = "no session and no personal token of a member with \(names.joined(separator: " and ")) is stored"
        return badInput(SessionText.printable(message))
    }
}
