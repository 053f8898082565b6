/// Reads and validates settings one by one by their keys, such as `reader.workers`, and collects all problems.
@dynamicMemberLookup
package struct SettingsReader {
    let sources: SettingSources
    package private(set) var problems: [ConfigurationError.Problem] = []
    /// What was read, so that a setting that is read again is not reported again.
    private(set) var values = SettingValues()

    package init(_ sources: SettingSources) {
        self.sources = sources
    }

    /// The value of a setting; if it is wrong, another value in its place, and a problem.
    package subscript<Value>(dynamicMember path: KeyPath<SettingKeys, SettingKey<Value>>) -> Value {
        mutating get { value(of: SettingKeys.all[keyPath: path]) }
    }

    mutating func value<Value>(of key: SettingKey<Value>) -> Value {
        if let known = values.value(of: key) { return known }
        let value: Value
        do throws(WrongValue) {
            value = try read(key) ?? key.fallback
        } catch {
            problems.append(.init(subject: key.setting.name, error.advice, place: sources.place(of: key.setting)))
            value = key.fallback
        }
        values.set(value, of: key)
        return value
    }

    /// Reads the text of a setting or its default; an empty value counts as not set.
    ///
    /// - Returns: The value; nil without a text.
    private mutating func read<Value>(_ key: SettingKey<Value>) throws(WrongValue) -> Value? {
        let text = sources.text(key.setting)
        if !text.isEmpty { return try key.read(text, &self) }
        if key.setting.defaultText == nil, !(key.setting.isOfLinkedIn && isSet(Setting.providerIssuer)),
            let advice = sources.absence(of: key.setting)
        {
            throw WrongValue(advice)
        }
        return nil
    }

    /// Adds a problem with a setting.
    package mutating func complain(_ setting: Setting, _ message: String) {
        problems.append(.init(subject: setting.name, message: message, place: sources.place(of: setting)))
    }

    /// Whether the setting has a value, even if it equals the default.
    func isSet(_ setting: Setting) -> Bool {
        sources.value(setting) != nil
    }

    /// Whether the operator wrote the value; false for a file that the systemd units pass if it exists.
    func isWritten(_ setting: Setting) -> Bool {
        sources.value(setting).map { !$0.isCredential } ?? false
    }

    /// Reports a number that is more than that of another setting, unless one of them has a problem already.
    mutating func limit(_ setting: Setting, _ number: Int, to other: Setting, _ most: Int, _ message: String) {
        if number > most, !hasProblem(setting), !hasProblem(other) { complain(setting, message) }
    }

    /// The value of a setting; nil if it is wrong.
    mutating func valid<Value>(_ path: KeyPath<SettingKeys, SettingKey<Value>>) -> Value? {
        let key = SettingKeys.all[keyPath: path]
        let value = value(of: key)
        return hasProblem(key.setting) ? nil : value
    }

    func hasProblem(_ setting: Setting) -> Bool {
        problems.contains { $0.subject == setting.name }
    }
}
