import FastCGI
package import Settings

import class FoundationEssentials.FileManager

extension SettingValues {
    /// Problems and notes about the socket of `serve`.
    ///
    /// - Parameter site: The site of the units that may open the socket; nil if there are none.
    /// - Returns: The findings.
    package func findings(of site: InstalledSite?) -> Report {
        let missing = site.flatMap(unitOpening) == nil ? missingDirectoryNote : nil
        let notes = [socketNote(site), openSocketNote, missing].compactMap(\.self)
        var report = Report(.settingNote, notes: notes)
        do throws(FastCGIError) {
            if let group = self.socketGroup { _ = try Listener.groupID(group) }
        } catch {
            let name = Setting.socketGroup.name
            if let unit = unitInsteadOfGroup(site) {
                let note = "\(name) has no effect, because \(unit) opens the socket: remove it (\(error))"
                report += Report(.settingNote, notes: [note])
            } else {
                report += Report(problems: [.init(subject: name, message: "\(error)")], causing: .noStart)
            }
        }
        do throws(FastCGIError) {
            if !self.allowedUsers.isEmpty { _ = try PeerPolicy(users: self.allowedUsers) }
        } catch {
            let name = Setting.allowedUsers.name
            report += Report(
                problems: [.init(subject: name, message: "\(error)")],
                causing: .noStart.union([.setting(name)])
            )
        }
        return report
    }

    /// The socket unit whose `SocketGroup=` is used instead of `SIGNIN_SOCKET_GROUP`; nil if the program uses the setting.
    private func unitInsteadOfGroup(_ site: InstalledSite?) -> String? {
        if case .unix = self.adminListen { return nil }
        return site.flatMap(unitOpening)
    }

    /// The socket unit that opens the socket for the web server; nil if the program opens it.
    private func unitOpening(_ site: InstalledSite) -> String? {
        let socket = SiteService(site).socket
        switch self.listen {
        case .automatic: return socket.map { _ in site.socketUnit }
        case .unix(let path): return path == socket ? site.socketUnit : nil
        case .inherited, .loopback: return nil
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
        let (path, opener): (String, InstalledSite?)
        switch self.listen {
        case .automatic: (path, opener) = (ListenAddress.defaultPath, site ?? .unnamed)
        case .unix(let named): (path, opener) = (named, site)
        case .inherited, .loopback: return nil
        }
        // Connecting needs write permission (unix(7)).
        guard self.socketGroup == nil, self.socketMode & 0o022 == 0o020 else { return nil }
        // The socket unit has SocketGroup= for this.
        guard opener.flatMap(unitOpening) == nil else { return nil }
        let exception = self.listen == .automatic ? " (systemd's socket unit has SocketGroup= for this)" : ""
        return "SIGNIN_SOCKET_GROUP is not set, so the web server can connect to \(path) only if its user is in the "
            + "group of serve: usermod -aG GROUP www-data; or set SIGNIN_SOCKET_GROUP=www-data and add the user of serve "
            + "to that group\(exception)"
    }
}
