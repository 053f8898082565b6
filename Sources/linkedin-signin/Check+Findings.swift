import Pages
import Settings
import SignIn

extension Check {
    /// The results of a check.
    struct Findings {
        var problems: [ConfigurationError.Problem] = []
        /// What may be intended, and what an operator should know.
        var notes: [String] = []

        static func + (_ one: Findings, _ other: Findings) -> Findings {
            Findings(problems: one.problems + other.problems, notes: one.notes + other.notes)
        }
    }
}

extension SettingSources {
    /// Notes about files with secrets that other users than their owner can read.
    var sharedSecrets: [String] {
        Setting.all.filter(\.isSecret).compactMap { setting in
            guard let file = value(setting)?.file, SecretFile.isForGroup(file) else { return nil }
            return "\(file) contains \(setting.name) and is readable for its group; chmod 600 allows only its owner"
        }
    }
}
