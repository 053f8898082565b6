import SignIn

extension Check {
    /// What there is to say beside the settings themselves.
    struct Findings {
        var problems: [ConfigurationError.Problem] = []
        /// What may be as it should: an operator has to know.
        var notes: [String] = []

        static func + (_ one: Findings, _ other: Findings) -> Findings {
            Findings(problems: one.problems + other.problems, notes: one.notes + other.notes)
        }
    }
}

extension SettingSources {
    /// The secrets that lie in files which more than their owner may read.
    var sharedSecrets: [String] {
        Setting.all.filter(\.isSecret).compactMap { setting in
            guard let file = value(setting)?.file, SecretFile.isForGroup(file) else { return nil }
            return "\(file) holds \(setting.name) and may be read by its group; chmod 600 keeps it to its owner"
        }
    }
}
