import Testing

@testable import HTTP

struct PersonalTokenFieldTests {
    @Test(arguments: ["Bearer lsi_a", "bearer lsi_a", "BEARER   lsi_a", "Bearer lsi_"])
    func `the scheme is read in any case, before any number of spaces`(value: String) {
        #expect(PersonalTokenField.token(in: value) == (value.hasSuffix("a") ? "lsi_a" : "lsi_"))
        let matches = PersonalTokenField.matches(value.utf8Span.span)
        #expect(matches)
    }

    @Test(arguments: [
        "", "Bearer", "Bearer ", "Bearerlsi_a", "Bearer LSI_a", "Bearer lsi-a", "Bearer lsi", "Basic lsi_a", "lsi_a",
        "Bearer xlsi_a", "\tBearer", "Bearer\t", "\t", "\u{2}earer lsi_a", "Token Bearer lsi_a",
    ])
    func `every other value belongs to the application`(value: String) {
        #expect(PersonalTokenField.token(in: value) == nil)
        let matches = PersonalTokenField.matches(value.utf8Span.span)
        #expect(!matches)
    }

    @Test(arguments: ["Bearer\tlsi_a", "Bearer \tlsi_a", " Bearer lsi_a", "\tbearer lsi_a", "Bearer\u{b}lsi_a"])
    func `a personal token after other white space is rejected`(value: String) {
        #expect(PersonalTokenField.token(in: value) == value[...])
        let matches = PersonalTokenField.matches(value.utf8Span.span)
        #expect(matches)
    }
}
