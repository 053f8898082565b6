package import Sessions
package import Settings
import Templates

/// Renders pages as HTML.
///
/// Every text is escaped, and every link and picture is validated by its type. The initializer checks the templates, so
/// rendering cannot fail.
package struct PageRenderer: Sendable {
    /// The policy of pages without a script (CSP Level 3): it allows only the inlined style sheet, by its hash, and
    /// pictures of members.
    ///
    /// The hash is of the style sheet in use, which may come from the template directory.
    package let contentSecurityPolicy: String
    /// The policies of pages with a script, which they also allow by its hash.
    private let scriptPolicies: [PageScript: String]
    /// The languages of the pages, English first.
    package let languages: [Language]
    /// Messages for the operator about missing texts in the template directory.
    package let notes: [String]

    /// Messages for the operator about the chosen color, where the pages do not have it.
    package let colorNotes: [String]

    /// Messages for the operator about parts of templates that browsers ignore because of the content security policy.
    package let policyNotes: [String]

    private let templates: TemplateSet
    private let negotiation: Negotiation
    private let menu: LanguageMenu
    /// For each language in the order of `languages`, one for each provider.
    private let contexts: [[ContextOnDemand]]
    /// The IDs of the providers in the order of `contexts`.
    private let providers: [ProviderID]

    /// Reads and checks the templates.
    ///
    /// - Parameters:
    ///   - templateDirectory: Files in this directory replace embedded templates (`Template.all`). They can include any
    ///     other `*.mustache` file. `languages/xx.txt` replaces texts of an embedded language or adds a language.
    ///   - paths: The targets of links.
    ///   - provider: The first provider.
    ///   - others: The other providers, which visitors can choose.
    ///   - siteName: The name of the site.
    ///   - appearance: The color and the logo of the site.
    ///   - pictureSources: The allowed hosts of members' pictures.
    ///   - formTargets: The origins of other sites to which sign-out redirects.
    ///   - theme: The only theme of the pages, for a preview, which also shows invented `others` if there are none; nil for
    ///     the theme that the browser prefers.
    /// - Throws: `TemplateError` with every fault of every file.
    package init(
        templateDirectory: String?,
        paths: Paths = Paths(),
        provider: ProviderLabel = .linkedIn,
        others: [ProviderLabel] = [],
        siteName: String = "localhost",
        appearance: Appearance = Appearance(),
        pictureSources: PictureSources = .linkedIn,
        formTargets: [String] = [],
        theme: Theme? = nil
    ) throws(TemplateError) {
        let palette = appearance.accent.map(Palette.init)
        let labels = [provider] + (theme != nil && others.isEmpty ? ProviderLabel.samples : others)
        let buttons = labels.compactMap { label in
            label.color.map { Palette($0).style(ofButtonFor: others.isEmpty ? nil : label.id) }
        }
        let colors = (palette?.style ?? "") + buttons.joined()
        let sources = TemplateSources(directory: templateDirectory, colors: colors, theme: theme)
        let chosen = [palette.map { _ in "SIGNIN_ACCENT_COLOR" }, buttons.first.map { _ in "SIGNIN_PROVIDER_COLOR" }]
        colorNotes = sources.hasOwnStyle ? chosen.compactMap(\.self).map(Palette.unusedNote) : palette?.notes ?? []
        policyNotes = sources.policyNotes
        providers = labels.map(\.id)
        let site = SiteLabel(name: siteName, colors: palette?.light, logo: appearance.logo)
        templates = try TemplateSet(sources, commonNames: Wording.names)
        let set = try LanguageSet(files: sources.languageFiles)
        languages = set.languages
        notes = set.notes
        negotiation = Negotiation(languages)
        menu = LanguageMenu(entries: set.languages.map { ($0, set.name(of: $0)) }, paths: paths)
        contexts = set.languages.map { language in
            labels.map { provider in
                ContextOnDemand {
                    let translation = set.translation(to: language)
                    return PageContext(
                        wording: Wording(translation, provider: provider, site: site, paths: paths),
                        provider: provider,
                        providers: labels.map { ($0, Wording.signIn(at: $0, of: site, in: translation)) },
                        offersChoice: !others.isEmpty,
                        paths: paths,
                        pictureSources: pictureSources
                    )
                }
            }
        }
        let style = templates.style
        contentSecurityPolicy = ContentSecurityPolicy.text(
            style: style,
            pictures: pictureSources,
            formTargets: formTargets
        )
        var policies: [PageScript: String] = [:]
        for script in PageScript.allCases {
            policies[script] = ContentSecurityPolicy.text(style: style, pictures: pictureSources, script: script)
        }
        scriptPolicies = policies
    }

    /// Returns the policy to send with a page.
    package func policy(for page: Page) -> String {
        page.content.script.flatMap { scriptPolicies[$0] } ?? contentSecurityPolicy
    }

    /// Returns the language that the visitor chose, or the best one for an `Accept-Language` field (see `Negotiation`).
    ///
    /// - Parameters:
    ///   - chosen: The tag of a language; ignored unless it is one of `languages`.
    ///   - acceptLanguage: The field of the request.
    /// - Returns: One of `languages`.
    package func language(chosen: String? = nil, acceptLanguage: String?) -> Language {
        chosen.flatMap(language) ?? languages[negotiation.preferred(acceptLanguage: acceptLanguage)]
    }

    /// Returns the language of the pages with exactly this tag.
    package func language(tag: String) -> Language? {
        languages.first { $0.tag == tag }
    }

    /// Renders a page.
    ///
    /// - Parameters:
    ///   - page: The page; its texts may contain any character.
    ///   - language: The language of the page's own texts; English if it is not one of `languages`.
    ///   - provider: The provider that the page names; the first one if it is nil or not known.
    ///   - place: The local path that shows the page again, in another language; nil for a page without a language menu.
    /// - Returns: A complete HTML document in UTF-8.
    package func render(
        _ page: Page,
        language: Language,
        naming provider: ProviderID? = nil,
        at place: String? = nil
    ) -> [UInt8] {
        let index = languages.firstIndex(of: language) ?? 0
        let number = provider.flatMap(providers.firstIndex) ?? 0
        var fields = page.content.fields(in: contexts[index][number].value)
        if let place, !page.content.isShownOnce { menu.add(to: &fields, in: language, at: place) }
        return templates[page]?.render(fields.values) ?? []
    }

    /// A drawn portrait, which needs no network.
    private static let portrait =
        "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 56 56%22%3E"
        + "%3Crect width=%2256%22 height=%2256%22 fill=%22%238aa4b8%22/%3E"
        + "%3Cpath fill=%22%23fff%22 d=%22M28 31a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM10 56a18 18 0 0 1 36 0z%22/%3E%3C/svg%3E"

    /// Renders a page as a file that a browser can open without a server.
    ///
    /// The file has the policy of the page, but it loads nothing, sends no form, and has no script that acts by itself.
    func preview(_ page: Page, language: Language) -> String {
        let script = page.content.script == .copy ? PageScript.copy : nil
        let policy = ContentSecurityPolicy.offline(style: templates.style, script: script)
        let text = String(decoding: render(page, language: language, at: "/"), as: UTF8.self)
            .replacing(PageSample.pictureURL, with: Self.portrait)
        let tag = "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">"
        // A policy counts only in the head; without one, a browser adds it around the tag.
        let head = text.firstRange(of: "<head>")?.upperBound ?? text.firstRange(of: ">")?.upperBound ?? text.startIndex
        return text[..<head] + "\n" + tag + text[head...]
    }
}
