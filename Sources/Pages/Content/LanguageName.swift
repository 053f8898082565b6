/// The names of the languages in which providers keep profiles, each in that language.
enum LanguageName {
    private static let names = [
        "ar": "العربية", "cs": "Čeština", "da": "Dansk", "de": "Deutsch", "el": "Ελληνικά", "en": "English",
        "es": "Español", "fa": "فارسی", "fi": "Suomi", "fr": "Français", "he": "עברית", "hi": "हिन्दी",
        "hu": "Magyar", "id": "Bahasa Indonesia", "in": "Bahasa Indonesia", "it": "Italiano", "iw": "עברית",
        "ja": "日本語", "ko": "한국어", "ms": "Bahasa Melayu", "nl": "Nederlands", "no": "Norsk", "nb": "Norsk",
        "pl": "Polski", "pt": "Português", "ro": "Română", "ru": "Русский", "sv": "Svenska", "th": "ไทย",
        "tl": "Tagalog", "tr": "Türkçe", "uk": "Українська", "vi": "Tiếng Việt", "zh": "中文",
        "zh-cn": "简体中文", "zh-tw": "繁體中文",
    ]

    /// Returns the name of the language of a locale such as `en_US` or `en-US`; the locale itself if it is unknown.
    static func of(_ locale: String) -> String {
        let tag = locale.lowercased().replacing("_", with: "-")
        return names[tag] ?? names[String(tag.prefix { $0 != "-" })] ?? locale
    }
}
