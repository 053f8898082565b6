import Encoding

/// What is known about a setting without the type of its value.
///
/// `SettingKeys` declares every setting. `Setting.workers` is the description of the declaration `workers` there.
@dynamicMemberLookup
package struct Setting: Sendable, Hashable {
    package let name: String
    /// The text used if no value is set; nil if the setting is required.
    package let defaultText: String?
    /// The values that the reader accepts, such as `a time from 1m to 365d`.
    package let values: String
    /// The values that the reader accepts, if they are numbers.
    let numbers: NumberRange?
    /// Whether the value is a secret, which is never shown and may come from the file that `NAME_FILE` names.
    package let isSecret: Bool
    /// Whether the program uses a new value only after a restart: the socket, the threads and the store are made from it.
    package let needsRestart: Bool
    /// How the value is used.
    let use: Use
    /// Sentences for the documentation, of which the first says what the setting does.
    package fileprivate(set) var meaning = ""

    /// Whether the setting is about LinkedIn, and has no effect with another provider.
    var isOfLinkedIn: Bool { name.hasPrefix("LINKEDIN_") }

    /// Whether each provider has its own value, in the settings file or in the file that adds the provider.
    fileprivate(set) var isOfProvider = false

    enum Use: Sendable {
        case plain
        /// The value is a file or directory that the program reads.
        case file
        /// The value is text for people, which may contain any character.
        case words
    }

    init(
        _ name: String,
        default defaultText: String?,
        values: String,
        numbers: NumberRange? = nil,
        secret isSecret: Bool = false,
        restart needsRestart: Bool = false,
        use: Use = .plain
    ) {
        self.name = name
        self.defaultText = defaultText
        self.values = values
        self.numbers = numbers
        self.isSecret = isSecret
        self.needsRestart = needsRestart
        self.use = use
    }

    package static subscript<Value>(dynamicMember path: KeyPath<SettingKeys, SettingKey<Value>>) -> Setting {
        SettingKeys.all[keyPath: path].setting
    }

    /// The declarations and the titles of their groups, in their order.
    private static let declarations = Mirror(reflecting: SettingKeys.all).children.compactMap {
        $0.value as? any Declaration
    }

    static let keys = declarations.compactMap { $0 as? any AnySettingKey }

    /// All settings, in the order of the documentation.
    package static let all: [Setting] = keys.map(\.setting)

    /// The settings by subject, with a title for each group.
    package static let groups: [(title: String, settings: [Setting])] = declarations.reduce(into: []) { groups, value in
        if let group = value as? SettingGroup { groups.append((group.title, [])) }
        if let key = value as? any AnySettingKey { groups[groups.count - 1].settings.append(key.setting) }
    }
}

/// A title or a setting in `SettingKeys`.
protocol Declaration: Sendable {}

/// The title of the settings that are declared after it, up to the next title.
struct SettingGroup: Declaration {
    let title: String
}

extension Setting {
    /// The accepted values, with an example of a time.
    var valuesWithExample: String {
        guard case .seconds(let range) = numbers else { return values }
        let seconds = [43_200, 30].first { range.contains($0) } ?? range.lowerBound
        let example = Quantity.text(seconds, units: Quantity.times)
        return "\(values), such as \(example); a number without a unit means seconds"
    }
}

/// Why a value cannot be used and how to fix it, for a message that begins with the name of the setting.
struct WrongValue: Error {
    let advice: Advice

    init(_ advice: Advice) { self.advice = advice }
    init(message: String) { advice = Advice(message) }

    static func text(_ text: String, isNot values: String) -> Self { Self(message: "“\(text)” is not \(values)") }

    /// A text that is neither a word nor another value, described as `off, or a time`.
    static func neither(_ text: String, norOneOf values: String) -> Self {
        Self(message: "“\(text)” is neither \(values.replacing(", or ", with: " nor ", maxReplacements: 1))")
    }
}

/// A declared setting: its description, and how a text becomes a value.
package struct SettingKey<Value: Sendable>: Sendable {
    package private(set) var setting: Setting
    /// The value of a setting that has no text; it also replaces a wrong value, so that the other settings are checked.
    let fallback: Value
    /// Reads a text that is not empty; the reader has the values of other settings.
    let read: @Sendable (_ text: String, _ reader: inout SettingsReader) throws(WrongValue) -> Value

    init(
        _ setting: Setting,
        fallback: Value,
        read: @escaping @Sendable (_ text: String, _ reader: inout SettingsReader) throws(WrongValue) -> Value
    ) {
        (self.setting, self.fallback, self.read) = (setting, fallback, read)
    }

    /// A key with the same message for all wrong values, which has the accepted values.
    init(_ setting: Setting, fallback: Value, accept: @escaping @Sendable (_ text: String) -> Value?) {
        self.init(setting, fallback: fallback) { text, _ throws(WrongValue) in
            guard let value = accept(text) else { throw WrongValue.text(text, isNot: setting.valuesWithExample) }
            return value
        }
    }

    /// A key without a value if there is no text; a text for which `accept` returns nil is wrong.
    init<Wrapped>(optional setting: Setting, accept: @escaping @Sendable (_ text: String) -> Wrapped?)
    where Value == Wrapped? {
        self.init(setting, fallback: nil) { text, _ throws(WrongValue) in
            guard let value = accept(text) else { throw WrongValue.text(text, isNot: setting.values) }
            return .some(value)
        }
    }

    /// Adds what the setting means.
    func means(_ meaning: String) -> Self {
        var key = self
        key.setting.meaning = meaning
        return key
    }

    /// Gives each provider its own value.
    func ofEachProvider() -> Self {
        var key = self
        key.setting.isOfProvider = true
        return key
    }
}

/// A key of any type, for what all settings have in common.
protocol AnySettingKey: Declaration {
    var setting: Setting { get }

    /// Reads the value, so that the reader has it, or has its problem.
    func read(with reader: inout SettingsReader)
}

extension SettingKey: AnySettingKey {
    func read(with reader: inout SettingsReader) {
        _ = reader.value(of: self)
    }
}

extension Setting {
    /// Returns the setting whose name is most similar to an unknown name; nil if no name is similar.
    ///
    /// Names are also compared without `SIGNIN_` and `LINKEDIN_`, because operators confuse or forget these prefixes.
    static func nearest(to name: String) -> Setting? {
        let name = name.uppercased()
        let candidates = all.map { (setting: $0, distance: distance(name, $0.name)) }
        guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
        // The prefix of a provider's setting says nothing about the rest of the name.
        let own = stem(name).trimmingPrefix("PROVIDER_")
        return best.distance <= max(1, own.count / 3) ? best.setting : nil
    }

    /// Returns the end of a message about an unknown name; empty if no setting is similar.
    static func suggestion(for name: String) -> String {
        nearest(to: name).map { "; did you mean \($0.name)?" } ?? ""
    }

    private static func distance(_ one: String, _ other: String) -> Int {
        min(edits(Array(one.utf8), Array(other.utf8)), edits(Array(stem(one).utf8), Array(stem(other).utf8)))
    }

    private static func stem(_ name: String) -> Substring {
        for prefix in ["SIGNIN_", "LINKEDIN_"] where name.hasPrefix(prefix) { return name.dropFirst(prefix.count) }
        return name[...]
    }

    /// Returns the number of characters to insert, remove or replace (Levenshtein distance).
    private static func edits(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (line, byte) in one.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for column in other.indices {
                let replaced = diagonal + (byte == other[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[other.count]
    }
}
