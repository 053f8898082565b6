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

extension SignIn.Configuration.Listening {
    /// How a web server comes to the socket that `serve` makes; nil where the settings say enough.
    ///
    /// Of an inherited socket the unit or program that opens it decides.
    var socketNote: String? {
        let path: String
        switch listen {
        case .automatic: path = ListenAddress.defaultPath
        case .unix(let named): path = named
        case .inherited, .loopback: return nil
        }
        // Write permission lets connect (unix(7)).
        guard socketGroup == nil, socketMode & 0o022 == 0o020 else { return nil }
        let exception = listen == .automatic ? " (systemd's socket unit does it by SocketGroup=)" : ""
        return "SIGNIN_SOCKET_GROUP is not set, so the web server's user must be in the group that serve runs as to "
            + "connect to \(path): usermod -aG GROUP www-data, or SIGNIN_SOCKET_GROUP=www-data with the user of serve "
            + "in that group\(exception)"
    }
}
