/// One language's words with the provider's name in place: what every page of that language has in common.
struct Wording: Sendable {
    let language: Language
    private let provider: ProviderLabel
    private let texts: [String: String]
    private let paths: [String: String]

    init(_ language: Language, provider: ProviderLabel, paths: Paths) {
        self.language = language
        self.provider = provider
        // A mirror, because the names that templates use are then the properties' own and cannot drift from them.
        let pairs = Mirror(reflecting: language.text).children.compactMap { child -> (String, String)? in
            guard let name = child.label, let text = child.value as? String else { return nil }
            return (name, Self.fill(text, provider))
        }
        texts = Dictionary(uniqueKeysWithValues: pairs)
        self.paths = [
            "home": paths.home, "login": paths.login, "profile": paths.profile, "logout": paths.logout,
        ]
    }

    /// Words of the kinds that `Fields` of every page begin with.
    var fields: Fields {
        var fields = Fields()
        fields.set(group: "text", texts)
        fields.set(group: "paths", paths)
        fields.set(group: "page", ["language": language.rawValue])
        return fields
    }

    /// The names of those, for templates to use.
    var names: Set<String> {
        Set(texts.keys.map { "text.\($0)" } + paths.keys.map { "paths.\($0)" } + ["page.language"])
    }

    func problem(_ kind: Problem.Kind) -> ProblemText {
        let text = language.problems[kind]
        return ProblemText(
            Self.fill(text.title, provider),
            Self.fill(text.happened, provider),
            next: Self.fill(text.next, provider)
        )
    }

    subscript(text: KeyPath<Text, String>) -> String {
        Self.fill(language.text[keyPath: text], provider)
    }

    private static func fill(_ text: String, _ provider: ProviderLabel) -> String {
        text.replacing("{provider}", with: provider.name).replacing("{linkProduct}", with: provider.linkProduct ?? "")
    }
}
