import Encoding
import Testing

@testable import Settings

/// What is true of every declaration in `SettingKeys`.
struct SettingKeyTests {
    private static let required = [
        "LINKEDIN_CLIENT_ID": "id", "LINKEDIN_CLIENT_SECRET": "s3cret", "SIGNIN_BASE_URL": "https://example.com",
    ]

    /// The message about one setting with a value; nil if the value is accepted.
    private func message(_ setting: Setting, _ value: String) -> String? {
        let environment = Self.required.merging([setting.name: value]) { $1 }
        var reader = SettingsReader(SettingSources(environment: environment, file: nil) { _ in "" })
        for key in Setting.keys where key.setting == setting { key.read(with: &reader) }
        return reader.problems.first { $0.subject == setting.name }?.message
    }

    /// The number without a unit, as an operator may write it.
    private func plain(_ number: Int, _ numbers: NumberRange) -> String {
        if case .mode = numbers { String(number, radix: 8) } else { String(number) }
    }

    @Test(arguments: Setting.all.filter { $0.numbers != nil })
    func `the reader accepts exactly the range that print-settings shows`(setting: Setting) throws {
        let numbers = try #require(setting.numbers)
        let (least, most) = (numbers.range.lowerBound, numbers.range.upperBound)
        #expect(setting.values.hasSuffix("from \(numbers.text(least)) to \(numbers.text(most))"))
        for bound in [least, most] {
            #expect(message(setting, numbers.text(bound)) == nil)
            #expect(message(setting, plain(bound, numbers)) == nil)
        }
        for beyond in [least - 1, most + 1] {
            let text = plain(beyond, numbers)
            let values = setting.valuesWithExample.replacing("off, or ", with: "off nor ")
            let denial = values.hasPrefix("off nor ") ? "neither" : "not"
            #expect(message(setting, text) == "“\(text)” is \(denial) \(values)")
        }
        let example = setting.valuesWithExample.dropFirst(setting.values.count).split(separator: " ").dropFirst(3).first
        #expect(example.map { message(setting, $0.filter { $0 != ";" }) == nil } ?? true)
    }

    @Test(arguments: Setting.all)
    func `a default is an accepted value`(setting: Setting) {
        #expect(setting.defaultText.map { $0.isEmpty || message(setting, $0) == nil } ?? true)
    }

    @Test func `every setting is declared once, and its group before it`() {
        #expect(Set(Setting.all.map(\.name)).count == Setting.all.count)
        #expect(Setting.groups.flatMap(\.settings) == Setting.all)
        #expect(Setting.all.count == Mirror(reflecting: SettingKeys.all).children.count - Setting.groups.count)
    }

    @Test(arguments: Setting.all)
    func `a meaning consists of sentences`(setting: Setting) {
        #expect(setting.meaning.first?.isUppercase == true && setting.meaning.last == ".")
    }

    @Test func `a wrong setting has one message, even if other settings depend on it`() throws {
        let wrong = ["SIGNIN_REQUIRE_LIVE_TOKEN": "maybe", "SIGNIN_PERSONAL_TOKENS": "30d", "SIGNIN_MAX_BODY": "1"]
        let environment = Self.required.merging(wrong) { $1 }
        let sources = SettingSources(environment: environment, file: nil) { _ in "" }
        let error = #expect(throws: ConfigurationError.self) { try Configuration(sources) }
        #expect(try #require(error).problems.map(\.subject) == ["SIGNIN_REQUIRE_LIVE_TOKEN", "SIGNIN_MAX_BODY"])
    }

    @Test(arguments: [(0, "0"), (1, "1s"), (90, "90s"), (120, "2m"), (86_400, "1d"), (31_536_000, "365d")])
    func `a time is shown with the largest unit that divides it`(seconds: Int, text: String) {
        #expect(Quantity.text(seconds, units: Quantity.times) == text)
        #expect(Quantity.seconds(text) == seconds)
    }
}
