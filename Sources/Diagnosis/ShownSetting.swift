package import Settings

/// A setting or an environment variable with its source, without secrets.
package struct ShownSetting: Sendable, Encodable {
    /// The ID of the provider that has the setting, if a file adds the provider.
    let provider: String?
    let name: String
    /// Empty if it is not set.
    let value: String
    /// The file and line, the environment, or the default.
    let source: String

    init(_ name: String, _ value: String, from source: String, of provider: String? = nil) {
        (self.provider, self.name, self.value, self.source) = (provider, name, value, source)
    }

    /// All settings, those that files of providers set, and the variables with a proxy that are set.
    package static func all(_ sources: SettingSources, _ environment: [String: String]) -> [ShownSetting] {
        let ofProviders = sources.providers.flatMap { provider in
            // The secret also if it is not set, because its file may have another name.
            Setting.all.filter { provider.value($0) != nil || $0 == Setting.providerClientSecret }.map {
                shown($0, provider)
            }
        }
        return Setting.all.map { shown($0, sources) } + ofProviders + ProxyVariables.shown(environment)
    }

    private static func shown(_ setting: Setting, _ sources: SettingSources) -> ShownSetting {
        let value = sources.value(setting)
        return ShownSetting(
            setting.name,
            value.map { setting.shown($0.text) } ?? setting.defaultText ?? "",
            from: value?.place ?? (setting.defaultText == nil || setting.isSecret ? "not set" : "default"),
            of: sources.providerName
        )
    }

    /// The line of the output.
    var line: String { "\(provider.map { "\($0): " } ?? "")\(name)=\(value)  # \(source)" }
}
