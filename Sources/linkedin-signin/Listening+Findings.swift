import FastCGI
import SignIn

import class FoundationEssentials.FileManager

extension SignIn.Configuration.Listening {
    /// What `serve` would meet where it listens.
    var findings: Check.Findings {
        .init(
            problems: [unknownGroup, unknownUser].compactMap(\.self),
            notes: [socketNote, openSocketNote, missingDirectoryNote].compactMap(\.self)
        )
    }

    private var unknownGroup: ConfigurationError.Problem? {
        guard let socketGroup else { return nil }
        return problem(of: .socketGroup) { () throws(FastCGIError) in _ = try Listener.groupID(socketGroup) }
    }

    private var unknownUser: ConfigurationError.Problem? {
        guard !allowedUsers.isEmpty else { return nil }
        return problem(of: .allowedUsers) { () throws(FastCGIError) in _ = try PeerPolicy(users: allowedUsers) }
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
        guard socketMode & 0o002 != 0 else { return nil }
        return "SIGNIN_SOCKET_MODE lets every user of this machine speak to the program; 0660 keeps it to a group"
    }

    /// A note, for what makes the directory may run just before `serve`.
    private var missingDirectoryNote: String? {
        guard case .unix(let path) = listen else { return nil }
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        guard !directory.isEmpty, !FileManager.default.fileExists(atPath: directory) else { return nil }
        return "SIGNIN_LISTEN: there is no directory \(directory), and serve makes none"
    }

    /// How a web server comes to the socket that `serve` makes; nil where the settings say enough.
    ///
    /// Of an inherited socket the unit or program that opens it decides.
    private var socketNote: String? {
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
