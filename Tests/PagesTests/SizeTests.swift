import Testing

@testable import Pages

/// The number of bytes of a page; a browser loads nothing else for it but the member's picture.
struct SizeTests {
    private let renderer: PageRenderer

    init() throws {
        renderer = try PageRenderer(templateDirectory: nil, others: ProviderLabel.samples, siteName: "Example Club")
    }

    private func size(_ content: any PageContent, _ language: Language) -> Int {
        renderer.render(Page(content: content), language: language, at: "/account/tokens").count
    }

    @Test(arguments: Language.builtIn)
    func `a page without a logo is smaller than 12 KiB in every language`(language: Language) {
        let samples = Page.types.flatMap { $0.samples(contact: "help@example.com") }
        let sizes = samples.map { ($0.name, size($0.page.content, language)) }
        #expect(sizes.filter { $0.1 >= 12_288 }.map { "\($0): \($1)" } == [])
    }

    @Test(arguments: Language.builtIn)
    func `a personal token adds less than 600 bytes to the page that lists it`(language: Language) {
        let sizes = [1, 2].map { count in
            let tokens = Array(repeating: TokensPage.Token.sample(used: Day(iso8601: "2026-11-22")), count: count)
            return size(TokensPage(member: .sample(), tokens: tokens, wish: nil, maximumDays: 90), language)
        }
        #expect(sizes[1] - sizes[0] < 600)
    }
}
