package import Settings
import Templates

/// Turns pages into HTML.
///
/// Every text is escaped, every link and picture its own validated type; the templates are checked when the
/// renderer is made, so that rendering cannot fail.
package struct PageRenderer: Sendable {
    /// The policy that most pages need and nothing more (CSP Level 3): no script, no source but the inlined style sheet,
    /// by its hash, and pictures of members.
    ///
    /// It belongs to the style sheet in use, which may be the template directory's.
    package let contentSecurityPolicy: String
    /// The same for the page that sends a kept form: with its one script, by its hash.
    private let resumePolicy: String
    /// The same for the profile page with a link: with the script that copies it.
    private let profilePolicy: String
    /// The languages that pages are in, English first.
    package let languages: [Language]
    /// What the operator should know about the files of the template directory.
    package let notes: [String]

    private let templates: TemplateSet
    private let negotiation: Negotiation
    /// In the order of `languages`.
    private let fields: [PageFields]

    /// Reads and checks the templates.
    ///
    /// - Parameters:
    ///   - templateDirectory: files there replace embedded templates (`home.mustache`, `profile.mustache`,
    ///     `signed-out.mustache`, `resume.mustache`, `problem.mustache`, `member.mustache`, `layout.mustache`,
    ///     `footer.mustache`, `style.css`); any other `*.mustache` can be included by them;
    ///     `languages/xx.txt` replaces texts of an embedded language, or adds a language.
    ///   - paths: where the pages' links lead.
    ///   - provider: what the pages call the provider.
    ///   - siteName: what the pages call the site.
    ///   - pictureSources: the hosts that members' pictures may come from.
    ///   - formTargets: the origins of other sites that signing out leads to.
    /// - Throws: `TemplateError` with every faulty template and its reason.
    package init(
        templateDirectory: String?,
        paths: Paths = Paths(),
        provider: ProviderLabel = .linkedIn,
        siteName: String = "localhost",
        pictureSources: PictureSources = .linkedIn,
        formTargets: [String] = []
    ) throws(TemplateError) {
        let sources = TemplateSources(directory: templateDirectory)
        templates = try TemplateSet(sources, commonNames: Wording.names)
        let set = try LanguageSet(files: sources.languageFiles)
        languages = set.translations.map(\.language)
        notes = set.notes
        negotiation = Negotiation(languages)
        fields = set.translations.map { translation in
            let wording = Wording(translation, provider: provider, siteName: siteName, paths: paths)
            return PageFields(wording: wording, provider: provider, paths: paths, pictureSources: pictureSources)
        }
        contentSecurityPolicy = ContentSecurityPolicy.text(
            style: templates.style,
            pictures: pictureSources,
            formTargets: formTargets
        )
        resumePolicy = ContentSecurityPolicy.text(
            style: templates.style,
            pictures: pictureSources,
            script: KeptFormPage.script,
            formTargets: ["https:"]
        )
        profilePolicy = ContentSecurityPolicy.text(
            style: templates.style,
            pictures: pictureSources,
            script: ProfilePage.script
        )
    }

    /// The policy that a page goes with.
    package func policy(for page: Page) -> String {
        switch page {
        case .resume: resumePolicy
        case .profile(let profile) where profile.hasLink: profilePolicy
        case .home, .profile, .signedOut, .problem: contentSecurityPolicy
        }
    }

    /// The policy of the embedded style sheet with LinkedIn's pictures.
    package static let contentSecurityPolicy = ContentSecurityPolicy.text(
        style: Template.styleText,
        pictures: .linkedIn
    )

    /// The language to answer in, always one of `languages`; see `Negotiation`.
    package func language(acceptLanguage: String?) -> Language {
        languages[negotiation.preferred(acceptLanguage: acceptLanguage)]
    }

    /// Renders to UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - page: what to show; its texts may hold anything.
    ///   - language: the language of all fixed words; English if it is not one of `languages`.
    /// - Returns: a complete HTML document.
    package func render(_ page: Page, language: Language) -> [UInt8] {
        let fields = fields[languages.firstIndex(of: language) ?? 0]
        switch page {
        case .home(let page): return render(fields.home(page), templates.home)
        case .profile(let page): return render(fields.profile(page), templates.profile)
        case .signedOut(let returnPath):
            return render(fields.signedOut(returningTo: returnPath), templates.signedOut)
        case .resume(let page): return render(fields.resume(page), templates.resume)
        case .problem(let problem): return render(fields.problem(problem), templates.problem)
        }
    }

    private func render(_ fields: Fields, _ template: CompiledTemplate) -> [UInt8] {
        template.render(fields.values)
    }
}
