package import Settings

/// Looks at the permissions of files with secrets.
package enum SecretCheck {
    /// Finds files that other users than their owner can read.
    package static func run(_ sources: SettingSources) -> Report {
        let notes = Setting.all.filter(\.isSecret).compactMap { setting -> String? in
            guard let file = sources.value(setting)?.file, SecretFile.isForGroup(file) else { return nil }
            let way = sources.credentialInstead(of: setting) ?? "chmod 600 allows only its owner"
            return "\(file) contains \(setting.name) and is readable for its group; \(way)"
        }
        guard !notes.isEmpty else { return Report(passed: "secrets", "no group can read them") }
        return Report(.secretShared, about: "secrets", notes: notes)
    }
}
