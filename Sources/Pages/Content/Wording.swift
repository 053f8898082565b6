internal import Settings

/// The texts of one language with the names of provider and site filled in.
struct Wording: Sendable {
    /// The fields of every page.
    let fields: TemplateFields
    /// The names of `fields`, which every template may use.
    static let names = Set(
        TextKey.allCases.map { "text.\($0)" } + TemplateField.common.map(\.name)
    )

    private let translation: Translation
    private let texts: [String: String]
    private let problems: [Problem.Kind: ProblemText]
    private let values: [Placeholder: String]

    init(_ translation: Translation, provider: ProviderLabel, site: SiteLabel, paths: Paths) {
        self.translation = translation
        let values = [Placeholder.provider: provider.name, .site: site.name, .address: paths.address]
        self.values = values
        let text = { (key: String) in translation[key].map { Placeholder.fill($0, values) } }
        texts = Dictionary(uniqueKeysWithValues: TextKey.allCases.map { ($0.rawValue, text($0.rawValue) ?? "") })
        problems = Dictionary(
            uniqueKeysWithValues: Problem.Kind.allCases.map { kind in
                let title = text(kind.titleKey) ?? kind.rawValue
                return (kind, ProblemText(title: title, happened: text(kind.happenedKey), next: text(kind.nextKey)))
            }
        )
        var fields = TemplateFields()
        fields.set(group: "text", texts)
        fields.set(
            group: "paths",
            [
                "home": paths.home, "login": paths.login, "profile": paths.profile, "logout": paths.logout,
                "forget": paths.forget, "tokens": paths.tokens, "resume": paths.resume,
            ].merging(paths.site.map { ["site": $0] } ?? [:]) { $1 }
        )
        fields.set(group: "site", site.fields)
        if let logo = provider.logo { fields.set(group: "provider", ["logo": logo.url]) }
        let direction = translation.isRightToLeft ? Translation.rightToLeft : Translation.leftToRight
        fields.set(group: "page", ["language": translation.language.tag, "direction": direction])
        self.fields = fields
    }

    /// The text of the button that starts a sign-in at a provider.
    static func signIn(at provider: ProviderLabel, of site: SiteLabel, in translation: Translation) -> String {
        let values = [Placeholder.provider: provider.name, .site: site.name]
        return translation[TextKey.signIn.rawValue].map { Placeholder.fill($0, values) } ?? ""
    }

    /// Returns the texts of a problem.
    func problem(_ kind: Problem.Kind) -> ProblemText {
        problems[kind] ?? ProblemText(title: kind.rawValue)
    }

    subscript(key: TextKey) -> String {
        texts[key.rawValue] ?? ""
    }

    /// Writes a day as people of this language do.
    func text(_ day: Day) -> String { translation.text(day) }

    /// Returns a sentence about the age of a profile, rounded down.
    func received(secondsAgo seconds: Int) -> String? {
        switch seconds {
        case ..<60: text(.receivedNow, count: 0)
        case ..<3_600: text(.receivedMinutes, count: seconds / 60)
        case ..<86_400: text(.receivedHours, count: seconds / 3_600)
        default: text(.receivedDays, count: seconds / 86_400)
        }
    }

    /// Returns a sentence about the time to wait, rounded up.
    func wait(seconds: Int) -> String? {
        let roundedUp = { (size: Int) in (seconds - 1) / size + 1 }
        return switch seconds {
        case ..<60: text(.waitSeconds, count: max(seconds, 1))
        case ..<3_600: text(.waitMinutes, count: roundedUp(60))
        case ..<86_400: text(.waitHours, count: roundedUp(3_600))
        default: text(.waitDays, count: roundedUp(86_400))
        }
    }

    /// Returns the sentence of a key with a number.
    func text(_ key: CountedKey, count: Int) -> String? {
        let values = values.merging([.count: String(count)]) { $1 }
        return translation[key.rawValue, count].map { Placeholder.fill($0, values) }
    }
}
