internal import Mustache

/// Turns pages into HTML.
///
/// Every text passes `HTMLText`, every link and picture its own validated type; the templates are checked when the
/// renderer is made, so that rendering cannot fail.
package struct PageRenderer: Sendable {
    /// The policy that the pages need and nothing more (CSP Level 3): no script, no source but the inlined style sheet,
    /// by its hash, and pictures of members.
    ///
    /// It belongs to the style sheet in use, which may be the template directory's.
    package let contentSecurityPolicy: String
    /// The same for the page that sends a kept form: with its one script, by its hash.
    package let resumePolicy: String

    private let templates: TemplateSet
    private let english: PageFields
    private let chinese: PageFields

    /// Reads and checks the templates.
    ///
    /// - Parameters:
    ///   - templateDirectory: files there replace embedded templates (`home.mustache`, `profile.mustache`,
    ///     `signed-out.mustache`, `resume.mustache`, `problem.mustache`, `member.mustache`, `layout.mustache`,
    ///     `style.css`); any other `*.mustache` can be included by them.
    ///   - paths: where the pages' links lead.
    ///   - provider: what the pages call the provider.
    ///   - pictureSources: the hosts that members' pictures may come from.
    /// - Throws: `TemplateError` with every faulty template and its reason.
    package init(
        templateDirectory: String?,
        paths: Paths = Paths(),
        provider: ProviderLabel = .linkedIn,
        pictureSources: PictureSources = .linkedIn
    ) throws(TemplateError) {
        func fields(_ language: Language) -> PageFields {
            let wording = Wording(language, provider: provider, paths: paths)
            return PageFields(wording: wording, provider: provider, paths: paths, pictureSources: pictureSources)
        }
        english = fields(.english)
        chinese = fields(.chinese)
        templates = try TemplateSet(directory: templateDirectory, commonNames: english.wording.names)
        contentSecurityPolicy = ContentSecurityPolicy.text(style: templates.style, pictures: pictureSources)
        resumePolicy = ContentSecurityPolicy.text(
            style: templates.style,
            pictures: pictureSources,
            script: ResumePage.script
        )
    }

    /// The policy of the embedded style sheet with LinkedIn's pictures.
    package static let contentSecurityPolicy = ContentSecurityPolicy.text(
        style: Template.styleText,
        pictures: .linkedIn
    )

    /// Renders to UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - page: what to show; its texts may hold anything.
    ///   - language: the language of all fixed words.
    /// - Returns: a complete HTML document.
    package func render(_ page: Page, language: Language) -> [UInt8] {
        let fields =
            switch language {
            case .english: english
            case .chinese: chinese
            }
        switch page {
        case .home(let page): return render(fields.home(page), templates.home)
        case .profile(let page): return render(fields.profile(page), templates.profile)
        case .signedOut: return render(fields.signedOut(), templates.signedOut)
        case .resume(let page): return render(fields.resume(page), templates.resume)
        case .problem(let problem): return render(fields.problem(problem), templates.problem)
        }
    }

    private func render(_ fields: Fields, _ template: MustacheTemplate) -> [UInt8] {
        Array(template.render(fields.values, library: templates.library).utf8)
    }
}
