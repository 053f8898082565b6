import OpenID

/// LinkedIn's localized text: `{"localized": {"en_US": "Bob"}, "preferredLocale": {"country": "US", "language": "en"}}`.
struct LocalizedText {
    /// The text in the preferred locale; without one, the text of the first locale in alphabetical order.
    let text: String?
    /// The preferred locale as a language tag, such as `en-US` (RFC 5646).
    let locale: String?

    init(_ json: JSON?) {
        let locale = json?["preferredLocale"]
        let language = locale?["language"]?.stringValue
        let country = locale?["country"]?.stringValue
        let texts = (json?["localized"]?.objectValue ?? [:]).compactMapValues(\.stringValue)
        let key = [language, country].compactMap(\.self).joined(separator: "_")
        text = texts[key] ?? texts.min { $0.key < $1.key }?.value
        self.locale = language.map { [$0, country].compactMap(\.self).joined(separator: "-") }
    }

    static func fullName(_ first: LocalizedText, _ last: LocalizedText) -> String? {
        let parts = [first.text, last.text].compactMap(\.self).filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
