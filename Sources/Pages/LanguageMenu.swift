/// The links that show a page in another language.
struct LanguageMenu: Sendable {
    /// Each language with its own name.
    let entries: [(language: Language, name: String)]
    let paths: Paths

    /// Adds all languages, and the links to them, which return to a local path that shows the page again.
    func add(to fields: inout TemplateFields, in current: Language, at place: String) {
        let links = entries.map { entry in
            var fields = TemplateFields()
            fields.set(
                group: "page",
                [
                    "languageTag": entry.language.tag, "languageName": entry.name,
                    "languageLink": paths.language(entry.language, returningTo: place),
                ]
            )
            fields.set("page.isCurrentLanguage", entry.language == current)
            return fields
        }
        fields.set("page.languages", links)
        fields.set("page.hasLanguages", links.count > 1)
    }
}
