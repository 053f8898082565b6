/// The links that show a page in another language.
struct LanguageMenu: Sendable {
    /// Each language with its own name.
    let entries: [(language: Language, name: String)]
    let paths: Paths

    /// Adds the links to all languages except one; they return to a local path that shows the page again.
    func add(to fields: inout TemplateFields, besides current: Language, at place: String) {
        let links = entries.filter { $0.language != current }.map { entry in
            var fields = TemplateFields()
            fields.set(
                group: "page",
                [
                    "languageTag": entry.language.tag, "languageName": entry.name,
                    "languageLink": paths.language(entry.language, returningTo: place),
                ]
            )
            return fields
        }
        fields.set("page.languages", links)
        fields.set("page.hasLanguages", !links.isEmpty)
    }
}
