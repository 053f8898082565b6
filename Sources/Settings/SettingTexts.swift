/// The texts of settings by name, with their defaults, to compare the settings of two processes; it shows none of them.
package struct SettingTexts: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    package let texts: [String: String]

    package var description: String { "\(texts.count) settings" }
    package var customMirror: Mirror { Mirror(reflecting: description) }

    init(_ texts: [String: String]) {
        self.texts = texts
    }
}
