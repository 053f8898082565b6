package import Settings

/// A setting or an environment variable with its source, without secrets.
package struct ShownSetting: Sendable, Encodable {
    let name: String
    /// Empty if it is not set.
    let value: String
    /// The file and line, the environment, or the default.
    let source: String

    /// All settings, and the variables with a proxy that are set.
    package static func all(_ sources: SettingSources, _ environment: [String: String]) -> [ShownSetting] {
        let settings = Setting.all.map { setting in
            let value = sources.value(setting)
            return ShownSetting(
                name: setting.name,
                value: value.map { setting.shown($0.text) } ?? setting.defaultText ?? "",
                source: value?.place ?? (setting.defaultText == nil ? "not set" : "default")
            )
        }
        return settings + ProxyVariables.shown(environment)
    }
}
