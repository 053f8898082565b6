import Encoding

/// Reads and validates settings one by one, and collects all problems.
package struct SettingsReader {
    private let sources: SettingSources
    package private(set) var problems: [ConfigurationError.Problem] = []

    package init(_ sources: SettingSources) {
        self.sources = sources
    }

    /// Adds a problem with a setting.
    package mutating func complain(_ setting: Setting, _ message: String) {
        problems.append(.init(subject: setting.name, message: message, place: sources.place(of: setting)))
    }

    /// Returns the value of a setting or its default; an empty value counts as not set.
    func text(_ setting: Setting) -> String {
        sources.value(setting)?.text ?? setting.defaultText ?? ""
    }

    /// Whether the setting has a value, even if it equals the default.
    func isSet(_ setting: Setting) -> Bool {
        sources.value(setting) != nil
    }

    mutating func required(_ setting: Setting) -> String {
        let text = text(setting)
        if text.isEmpty, let message = sources.absence(of: setting) { complain(setting, message) }
        return text
    }

    /// Returns the parts between separators; rejects a text with separators only, because an empty list may mean
    /// everyone.
    mutating func list(_ setting: Setting, separator: Character = ",") -> [String] {
        let text = text(setting)
        let parts = text.split(separator: separator).map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
        if parts.isEmpty, !text.isEmpty { complain(setting, "the list “\(text)” is empty") }
        return parts
    }

    mutating func choice<Choice: RawRepresentable & CaseIterable>(_ setting: Setting, fallback: Choice) -> Choice
    where Choice.RawValue == String {
        let text = text(setting)
        if let choice = Choice(rawValue: text) { return choice }
        let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        complain(setting, "“\(text)” is not one of \(known)")
        return fallback
    }

    /// Returns whether a setting is `yes`.
    package mutating func isOn(_ setting: Setting) -> Bool {
        choice(setting, fallback: Switch.no) == .yes
    }

    private enum Switch: String, CaseIterable {
        case yes, no
    }

    mutating func seconds(_ setting: Setting, in range: ClosedRange<Int>) -> Int {
        number(setting, in: range, read: Quantity.seconds, form: "a time such as 90s, 15m, 2h or 30d", unit: " seconds")
    }

    mutating func bytes(_ setting: Setting, in range: ClosedRange<Int>) -> Int {
        number(setting, in: range, read: Quantity.bytes, form: "a size such as 4096, 256K or 1M", unit: " bytes")
    }

    mutating func count(_ setting: Setting, in range: ClosedRange<Int>) -> Int {
        number(setting, in: range, read: { Int($0) }, form: "a number")
    }

    mutating func octal(_ setting: Setting, in range: ClosedRange<Int>) -> Int {
        number(setting, in: range, read: { Int($0, radix: 8) }, form: "an octal mode such as 0660", radix: 8)
    }

    private mutating func number(
        _ setting: Setting,
        in range: ClosedRange<Int>,
        read: (String) -> Int?,
        form: String,
        unit: String = "",
        radix: Int = 10
    ) -> Int {
        let text = text(setting)
        guard let number = read(text) else {
            complain(setting, "“\(text)” is not \(form)")
            return range.lowerBound
        }
        guard range.contains(number) else {
            let (least, most) = (String(range.lowerBound, radix: radix), String(range.upperBound, radix: radix))
            complain(setting, "“\(text)” is out of range: \(least) to \(most)\(unit), as \(form)")
            return range.lowerBound
        }
        return number
    }

    /// Returns the URL of an endpoint that receives secrets: https, or http for loopback only.
    mutating func endpoint(_ setting: Setting, default preset: String?) -> String? {
        let text = text(setting)
        guard !text.isEmpty else { return preset }
        guard let url = WebURL(text), url.isSecure || url.isLoopback else {
            complain(
                setting,
                "“\(text)” is not an https URL without query and user (http is accepted for loopback only)"
            )
            return preset
        }
        return text
    }
}
