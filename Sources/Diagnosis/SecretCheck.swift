import Encoding
package import Settings

/// Looks at the permissions of files with secrets.
package enum SecretCheck {
    /// Finds files that other users than their owner can read.
    package static func run(_ sources: SettingSources) -> Report {
        let notes = Setting.all.filter(\.isSecret).compactMap { setting -> String? in
            guard let value = sources.value(setting), let file = value.file, let others = SecretFile.readers(of: file)
            else {
                return nil
            }
            let other = value.isCredential ? nil : sources.credentialInstead(of: setting)
            let way = other ?? "run: chmod 600 \(ShellWord.quoted(file))"
            return "\(file) contains \(setting.name) and is readable for \(others); \(way)"
        }
        guard !notes.isEmpty else { return Report(passed: "secrets", "no group can read them") }
        return Report(.secretShared, about: "secrets", notes: notes)
    }
}
