import HTTP
import Settings

/// Makes the fields of each page in one language.
struct PageFields {
    let wording: Wording
    let provider: ProviderLabel
    let paths: Paths
    let pictureSources: PictureSources

    func home(_ page: HomePage) -> TemplateFields {
        var fields = wording.fields
        fields.set(.signedIn, page.signedIn != nil)
        fields.set(.offersLink, page.offersLink)
        fields.set(.offersTokens, page.offersTokens)
        if let member = page.signedIn {
            add(member, to: &fields)
            add(profileURL: page.profileURL, to: &fields)
            // There may be other sessions if their number is not known.
            fields.set(.signsOutEverywhere, page.sessions != 1)
            fields.set(.otherSessions, page.sessions.flatMap { $0 > 1 ? wording.signedIn(sessions: $0) : nil })
        }
        return fields
    }

    func profile(_ page: ProfilePage) -> TemplateFields {
        var fields = wording.fields
        add(page.member, to: &fields)
        add(profileURL: page.profileURL, to: &fields)
        fields.set(.locale, page.locale.map(LanguageName.of))
        fields.set(.received, wording.received(secondsAgo: page.fetchedAgo))
        fields.set(.linkMissing, page.offersLink && !page.hasLink)
        fields.set(.script, CopyScript.text)
        return fields
    }

    func signedOut(everywhere: Bool, returningTo returnPath: String?) -> TemplateFields {
        var fields = wording.fields
        fields.set(.everywhere, everywhere)
        fields.set(.target, paths.login(returningTo: returnPath))
        fields.set(.signOutPage, provider.signOutPage?.text)
        return fields
    }

    func forget(_ member: SignedInMember, deletesTokens: Bool) -> TemplateFields {
        var fields = wording.fields
        add(member, to: &fields)
        fields.set(.deletesTokens, deletesTokens)
        return fields
    }

    func forgotten(sessions: Int, tokens: Int) -> TemplateFields {
        var fields = wording.fields
        fields.set(.deletesTokens, tokens > 0)
        fields.set(.deleted, wording.deleted(sessions: sessions))
        return fields
    }

    func resume(_ page: KeptFormPage) -> TemplateFields {
        var fields = wording.fields
        fields.set(.target, page.target)
        fields.set(.formToken, page.token)
        fields.set(.formLabel, page.label)
        fields.set(.script, KeptFormPage.script)
        return fields
    }

    func problem(_ problem: Problem) -> TemplateFields {
        var fields = wording.fields
        let text = wording.problem(problem.kind)
        fields.set(.title, text.title)
        fields.set(.happened, text.happened)
        fields.set(.next, text.next)
        fields.set(.wait, problem.retryAfter.flatMap(wording.wait))
        if let account = problem.account {
            addName(of: account, to: &fields)
            fields.set(.account, account.label)
        }
        let address = problem.contact.flatMap(EmailAddress.init)
        fields.set(.contactAddress, address.map { "\($0.local)@\($0.domain)" })
        fields.set(.contact, address == nil ? problem.contact : nil)
        fields.set(.requestID, problem.kind.showsRequest ? String(problem.requestID.prefix(8)) : nil)
        fields.set(.switchesAccount, problem.switchesAccount)
        fields.set(.returnPath, problem.returnPath)
        let links = problem.actions.compactMap { action in
            target(of: action, problem).map { (action: action, target: $0) }
        }
        fields.set(
            .actions,
            links.enumerated().map { position, link in
                var fields = TemplateFields()
                fields.set(.label, wording[link.action.label])
                fields.set(.target, link.target)
                fields.set(.isPrimary, position == 0 && !problem.switchesAccount)
                fields.set(.isNewTab, link.action == .signInNewTab)
                return fields
            }
        )
        return fields
    }

    private func add(_ member: SignedInMember, to fields: inout TemplateFields) {
        let picture = member.pictureURL.flatMap { PictureURL($0, from: pictureSources) }
        addName(of: member, to: &fields)
        fields.set(.picture, picture?.text)
        fields.set(.initial, (member.name ?? member.email)?.first?.uppercased())
    }

    private func addName(of member: SignedInMember, to fields: inout TemplateFields) {
        fields.set(.name, member.name)
        fields.set(.email, member.email)
        fields.set(.emailParts, member.email.map(Self.parts) ?? [])
    }

    /// The parts of an address between which a line may break: each ends with `@` or a dot, except the last.
    private static func parts(of address: String) -> [TemplateFields] {
        var parts = [""]
        for character in address {
            parts[parts.count - 1].append(character)
            if character == "@" || character == "." { parts.append("") }
        }
        return parts.filter { !$0.isEmpty }.map { part in
            var fields = TemplateFields()
            fields.set(.part, part)
            return fields
        }
    }

    private func add(profileURL: String?, to fields: inout TemplateFields) {
        let link = profileURL.flatMap(ExternalLink.init)
        fields.set(.profileLink, link?.text)
        fields.set(.profileLinkShown, link?.shown)
    }

    private func target(of action: Problem.Action, _ problem: Problem) -> String? {
        switch action {
        case .signIn, .signInNewTab, .repeatSignIn: paths.login(returningTo: problem.returnPath)
        case .signOut: paths.logout
        case .forget: paths.forget
        case .reloadProfile: paths.profile
        // An empty reference is the current URL with its query (RFC 3986 §4.4).
        case .reload: ""
        case .resume: problem.returnPath
        case .home: paths.home
        }
    }
}

extension Problem.Action {
    var label: TextKey {
        switch self {
        case .signIn: .signIn
        case .signInNewTab: .signInNewTab
        case .repeatSignIn, .reloadProfile, .reload, .resume: .tryAgain
        case .forget: .forget
        case .signOut: .signOut
        case .home: .home
        }
    }
}
