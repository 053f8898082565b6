import Encoding
package import FastCGI
import POSIX
package import Settings

import struct FoundationEssentials.Date
import func Glibc.sleep

/// Looks at the permissions of the socket, on behalf of the web server's user.
package struct SocketCheck: Sendable {
    private let settings: SettingValues
    private let webUser: String
    private let wait: @Sendable () -> Void
    private let site: InstalledSite?

    /// - Parameters:
    ///   - configuration: The settings.
    ///   - webUser: The name of the user that the web server runs as.
    ///   - wait: Waits a second.
    package init(
        _ configuration: Configuration,
        webUser: String,
        wait: @escaping @Sendable () -> Void = { _ = sleep(1) }
    ) {
        (settings, site) = (configuration.settings, configuration.site)
        self.webUser = webUser
        self.wait = wait
    }

    /// Where the program listens; nil if only the process that opens the socket knows.
    package var place: Client.Place? {
        switch settings.listen {
        case .automatic: .unix(ListenAddress.defaultPath)
        case .unix(let path): .unix(path)
        case .loopback(let host, let port): .tcp(host: host, port: port)
        case .inherited: nil
        }
    }

    /// Whether the program accepts the web server's user and perhaps no other.
    package var needsWebUser: Bool {
        guard let user = User(webUser) else { return false }
        return settings.allowedUsers.contains { User($0)?.id == user.id }
    }

    package func run() -> Report {
        switch place {
        case .unix(let path):
            return run(path)
        case .tcp(let host, let port):
            return Report(passed: "\(Setting.listen.name) \(host):\(port)", "is open for every user of this machine")
        case nil:
            return Report(.notChecked, Setting.listen.name, "an inherited socket has no path in the settings")
        }
    }

    private func run(_ path: String) -> Report {
        var report = Report()
        guard let socket = settled(path) else { return report }
        if socket.permissions & 0o002 != 0 {
            let remedies =
                service(opening: path).map {
                    $0.socketMode & 0o002 == 0 ? Self.restart($0) : Self.change($0, webUser)
                } ?? ["SIGNIN_SOCKET_MODE=0660 and SIGNIN_SOCKET_GROUP=\(webUser), then restart"]
            let what = "mode \(String(socket.permissions, radix: 8))"
            report += Report(.socketOpen, path, what, remedies: remedies)
        }
        guard let user = User(webUser), !user.groups.isEmpty else {
            let what = "this machine has no user \(webUser): name the web server's user with --web-user"
            report += Report(.notChecked, path, what)
            return report
        }
        if let obstacle = obstacle(to: path, socket, user) {
            report += Report(
                .socketDenied,
                path,
                obstacle.what,
                remedies: obstacle.remedies,
                restarts: obstacle.restarts,
                causing: [.programStopped],
                // The unit that makes the directory is a finding of its own.
                explainedBy: obstacle.isOfUnit ? .noStart : []
            )
        } else {
            report += Report(passed: path, "user \(webUser) may connect")
        }
        if let remedy = Setting.line(allowing: user, after: settings.allowedUsers) {
            let name = Setting.allowedUsers.name
            // A user that does not exist is another finding about this setting.
            let isKnown = settings.allowedUsers.allSatisfy { User($0) != nil }
            report += Report(
                .userNotAllowed,
                name,
                "\(name) does not name user \(webUser), as whom the web server connects",
                remedies: [remedy],
                causing: [.userRefused, .programStopped],
                explainedBy: isKnown ? [] : [.setting(name)]
            )
        }
        return report
    }

    /// The status of the socket; nil if there is none.
    ///
    /// systemd first opens a socket and then changes its group: a new socket gets a second chance.
    private func settled(_ path: String) -> FileStatus? {
        let status = { (try? FileStatus(path: path)).flatMap { $0.kind == .socket ? $0 : nil } }
        guard let socket = status(), let user = User(webUser), obstacle(to: path, socket, user) != nil,
            FileStamp(socket).age(at: Date().timeIntervalSince1970) < FileStamp.resolution
        else { return status() }
        wait()
        return status()
    }

    /// What keeps a user from connecting; nil if nothing does.
    ///
    /// Connecting needs write permission (unix(7)).
    private func obstacle(
        to path: String,
        _ socket: FileStatus,
        _ user: User
    ) -> (what: String, remedies: [String], restarts: Bool, isOfUnit: Bool)? {
        let groups = user.groups
        var directory = ""
        for part in path.split(separator: "/").dropLast() {
            directory += "/\(part)"
            guard let status = try? FileStatus(path: directory) else { continue }
            guard status.allows(0o1, user.id, groups) else {
                let what = "\(user.described) may not enter \(directory) (\(status.described))"
                let isOfUnit = service(opening: path).map {
                    !$0.closedDirectories.isEmpty || $0.problemOfRun?.subject == directory
                }
                let remedy = ShellWord.opening(directory) ?? "choose a path of the socket outside \(directory)"
                return (what, [remedy], false, isOfUnit ?? false)
            }
        }
        guard !socket.allows(0o2, user.id, groups) else { return nil }
        let settings = "SIGNIN_SOCKET_GROUP=\(user.name) and SIGNIN_SOCKET_MODE=0660, then restart"
        let what = "\(user.described) may not write to the socket (\(socket.described))"
        guard let service = service(opening: path) else { return (what, [settings], false, false) }
        let unit = service.site.socketUnit
        guard service.messageAboutWebUser(user.name, group: nil) != nil else {
            return ("\(what), although \(unit) lets this user", Self.restart(service), true, false)
        }
        return (
            "\(what); \(unit) opens it, so SIGNIN_SOCKET_GROUP and SIGNIN_SOCKET_MODE have no effect",
            Self.change(service, user.name), true, !service.closedSocket.isEmpty
        )
    }

    /// What opens the socket as the unit says.
    private static func restart(_ service: SiteService) -> [String] {
        ["run: systemctl restart \(service.site.socketUnit)"]
    }

    /// How a socket unit gives a socket to the web server's user only.
    private static func change(_ service: SiteService, _ user: String) -> [String] {
        [service.socketLines(for: user), "then: systemctl restart \(service.site.socketUnit)"]
    }

    /// The service whose socket unit opens a path; nil if the program opens the path itself.
    private func service(opening path: String) -> SiteService? {
        [site, InstalledSite(socket: path)].compactMap(\.self).map(SiteService.init).first { $0.socket == path }
    }
}
