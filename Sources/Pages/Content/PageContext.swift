import Settings

/// The texts in one language, the links and the names with which pages fill their templates.
struct PageContext {
    let wording: Wording
    let provider: ProviderLabel
    /// All providers of the site, each with the text of the button that starts a sign-in there.
    var providers: [(label: ProviderLabel, signIn: String)] = []
    /// Whether the visitor chooses one of several providers at the address that starts a sign-in.
    var offersChoice = false
    let paths: Paths
    let pictureSources: PictureSources

    /// Adds the fields of the template `member`.
    func add(_ member: SignedInMember, to fields: inout TemplateFields) {
        let picture = member.pictureURL.flatMap { PictureURL($0, from: pictureSources) }
        addName(of: member, to: &fields)
        fields.set(.picture, picture?.text)
        fields.set(.initial, (member.name ?? member.email)?.first?.uppercased())
    }

    func addName(of member: SignedInMember, to fields: inout TemplateFields) {
        fields.set(.name, member.name)
        fields.set(.email, member.email)
        fields.set(.emailParts, member.email.map(Self.parts) ?? [])
    }

    /// The parts of an address between which a line may break: each ends with `@` or a dot, except the last.
    static func parts(of address: String) -> [TemplateFields] {
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
}

extension TemplateFields {
    mutating func set(profileLink link: ExternalLink?) {
        set(.profileLink, link?.text)
        set(.profileLinkShown, link?.shown)
    }
}
