import Pages
import Testing

struct LanguageTests {
    private let renderer: PageRenderer

    init() throws {
        renderer = try .shared()
    }

    @Test(arguments: [
        ("zh", Language.simplifiedChinese), ("zh-CN", .simplifiedChinese), ("zh-Hans", .simplifiedChinese),
        ("zh-SG,en;q=0.9", .simplifiedChinese),
        ("ZH-cn", .simplifiedChinese), ("zh-Hans-TW", .simplifiedChinese), ("en", .english),
        ("en-GB,zh;q=0.9", .english),
        ("zh;q=0.5,en;q=0.8", .english), ("en;q=0.5,zh;q=0.8", .simplifiedChinese),
        ("en;q=0.801, zh;q=0.802", .simplifiedChinese),
        ("it,pt;q=0.9,zh;q=0.1", .simplifiedChinese), ("it", .english), ("zh,en", .simplifiedChinese),
        ("en,zh", .english),
    ])
    func `a page is in the preferred language`(field: String, language: Language) {
        #expect(renderer.language(acceptLanguage: field) == language)
    }

    @Test(arguments: [
        ("zh-TW", Language.traditionalChinese), ("zh-Hant", .traditionalChinese), ("zh-mo", .traditionalChinese),
        ("zh-HK,en;q=0.8", .traditionalChinese), ("zh-Hant-CN", .traditionalChinese), ("en,zh-TW", .english),
        ("zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7", .traditionalChinese), ("zh-Hans,zh-Hant;q=0.5", .simplifiedChinese),
        ("zh,zh-TW;q=0.9", .simplifiedChinese), ("zh-TW;q=0,zh;q=0.1", .simplifiedChinese),
    ])
    func `a reader who prefers Traditional Chinese gets Traditional Chinese`(field: String, language: Language) {
        #expect(renderer.language(acceptLanguage: field) == language)
    }

    @Test(arguments: [
        ("de", Language.german), ("de-AT,en;q=0.9", .german), ("fr-CA", .french), ("es-419,en", .spanish),
        ("ja-JP", .japanese),
        ("it,fr;q=0.9,en;q=0.8", .french), ("en-GB,de;q=0.9", .english),
    ])
    func `a page is in the preferred language for every region`(field: String, language: Language) {
        #expect(renderer.language(acceptLanguage: field) == language)
    }

    @Test(arguments: [
        ("*", Language.english), ("zh,*;q=0.5", .simplifiedChinese), ("zh;q=0.3,*;q=0.5", .english),
        ("en;q=0", .english),
        ("en;q=0,*", .german), ("zh;q=0,*", .english), ("it,*;q=0", .english), ("zh;q=0", .english),
    ])
    func `a wildcard and a weight of zero mean what RFC 9110 says`(field: String, language: Language) {
        #expect(renderer.language(acceptLanguage: field) == language)
    }

    @Test(arguments: [
        nil, "", ",", ";;;", "zh;q", "zh;q=", "zh;q=1.1", "zh;q=-1", "zh;q=0.1234", "zh;q=1;q=1", "zh;level=1",
        "zh;q=½", "\0",
        "中文", "zhx", "-zh-", " , ,;q=1", String(repeating: "it,", count: 400) + "zh",
        String(repeating: "a", count: 1_030) + ",zh",
    ])
    func `invalid and overlong language preferences are ignored`(field: String?) {
        #expect(renderer.language(acceptLanguage: field) == .english)
    }

    @Test(arguments: ["garbage=,zh", " zh ; Q=0.7 ", "it;q=x,zh-CN;q=1.000"])
    func `valid language preferences next to invalid ones are used`(field: String) {
        #expect(renderer.language(acceptLanguage: field) == .simplifiedChinese)
    }
}
