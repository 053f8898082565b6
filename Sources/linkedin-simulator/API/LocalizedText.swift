/// LinkedIn's multi-locale text: a map of locales, and which of them the member prefers.
enum LocalizedText {
    static func of(_ text: String, _ member: Member) -> JSON {
        [
            "localized": .object(JSONObject([(member.locale, .string(text))])),
            "preferredLocale": ["country": .string(member.country), "language": .string(member.language)],
        ]
    }
}
