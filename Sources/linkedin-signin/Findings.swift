import FastCGI
import Pages
import Settings
import SignIn

import class FoundationEssentials.FileManager

extension Check {
    /// The results of a check.
    struct Findings {
        var problems: [ConfigurationError.Problem] = []
        /// Facts that may be intended, but that an operator should know.
        var notes: [String] = []
        /// Every setting with its source.
        var settings: [ShownSetting] = []
        /// What the operator has to do at LinkedIn; nil if the settings do not say it.
        var duties: Duties?

        static func + (_ one: Findings, _ other: Findings) -> Findings {
            Findings(
                problems: one.problems + other.problems,
                notes: one.notes + other.notes,
                settings: one.settings + other.settings,
                duties: one.duties ?? other.duties
            )
        }
    }
}

extension SettingSources {
    /// Notes about files with secrets that other users than their owner can read.
    var sharedSecrets: [String] {
        Setting.all.filter(\.isSecret).compactMap { setting in
            guard let file = value(setting)?.file, SecretFile.isForGroup(file) else { return nil }
            let way = credentialInstead(of: setting) ?? "chmod 600 allows only its owner"
            return "\(file) contains \(setting.name) and is readable for its group; \(way)"
        }
    }
}

extension SettingValues {
    /// Problems and notes about the socket of `serve`.
    ///
    /// - Parameter site: The site of the units that may open the socket; nil if there are none.
    /// - Returns: The findings.
    func findings(of site: InstalledSite?) -> Check.Findings {
        .init(
            problems: [unknownGroup, unknownUser].compactMap(\.self),
            notes: [socketNote(site), openSocketNote, missingDirectoryNote].compactMap(\.self)
        )
    }

    private var unknownGroup: ConfigurationError.Problem? {
        guard let socketGroup = self.socketGroup else { return nil }
        return problem(of: Setting.socketGroup) { () throws(FastCGIError) in _ = try Listener.groupID(socketGroup) }
    }

    private var unknownUser: ConfigurationError.Problem? {
        let allowedUsers = self.allowedUsers
        guard !allowedUsers.isEmpty else { return nil }
        return problem(of: Setting.allowedUsers) { () throws(FastCGIError) in _ = try PeerPolicy(users: allowedUsers) }
    }

    private func problem(
        of setting: Setting,
        _ attempt: () throws(FastCGIError) -> Void
    ) -> ConfigurationError.Problem? {
        do throws(FastCGIError) {
            try attempt()
            return nil
        } catch {
            return .init(subject: setting.name, message: "\(error)")
        }
    }

    private var openSocketNote: String? {
        guard self.socketMode & 0o002 != 0 else { return nil }
        return "SIGNIN_SOCKET_MODE allows every user of this machine to connect; 0660 allows only a group"
    }

    /// A note and not a problem, because another program may create the directory just before `serve` starts.
    private var missingDirectoryNote: String? {
        guard case .unix(let path) = self.listen else { return nil }
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        guard !directory.isEmpty, !FileManager.default.fileExists(atPath: directory) else { return nil }
        return "SIGNIN_LISTEN: the directory \(directory) does not exist, and serve does not create it"
    }

    /// How a web server gets access to the socket of `serve`; nil if the settings give it access.
    ///
    /// For an inherited socket, the unit or program that opens it decides.
    private func socketNote(_ site: InstalledSite?) -> String? {
        let path: String
        let opener: InstalledSite?
        switch self.listen {
        case .automatic: (path, opener) = (ListenAddress.defaultPath, site ?? .unnamed)
        case .unix(let named): (path, opener) = (named, site?.socket == named ? site : nil)
        case .inherited, .loopback: return nil
        }
        // Connecting needs write permission (unix(7)).
        guard self.socketGroup == nil, self.socketMode & 0o022 == 0o020 else { return nil }
        // The socket unit has SocketGroup= for this.
        guard opener?.hasSocketUnit != true else { return nil }
        let exception = self.listen == .automatic ? " (systemd's socket unit has SocketGroup= for this)" : ""
        return "SIGNIN_SOCKET_GROUP is not set, so the web server can connect to \(path) only if its user is in the "
            + "group of serve: usermod -aG GROUP www-data; or set SIGNIN_SOCKET_GROUP=www-data and add the user of serve "
            + "to that group\(exception)"
    }
}
