import Diagnosis
import Encoding
import FastCGI
import HTTP
import POSIX
import Settings

import class FoundationEssentials.FileManager
import struct FoundationEssentials.URL

/// What keeps the service from using its settings, beside the settings themselves.
struct ServiceCheck {
    let place: SettingsPlace
    let sources: SettingSources
    /// Whether this is about the next start of the service, as for `check`; `doctor` asks the running program more.
    var atStart = true

    /// Problems.
    func run(causing causes: Set<Cause> = []) -> Report {
        let addresses = addresses
        guard let service = place.service else { return Report(problems: addresses, causing: causes) }
        let socket = otherSocket(service)
        let users = service.messageAboutPrivateUsers(sources.ofRules.allowedUsers).map { message in
            service.problem("PrivateUsers") { _ in message }
        }
        // Forms, and copies of requests and responses in memory.
        var reader = SettingsReader(sources)
        let largestFile = max(1 << 20, reader.maxBody) + 1 << 16
        let problems =
            service.problems(largestFile: largestFile, Serve.objection) + hidden(from: service)
            + [users, service.problemOfRun, service.problemOfPorts(sources.ofRules.listen)].compactMap(\.self)
            + addresses.filter { $0.subject != socket?.subject }
            + [socket ?? lostSocket(service), unwritable(service), uncertainDirectory(service)].compactMap(\.self)
        // The reason why such a value is wrong is another finding.
        let mistaken = Set(sources.mistakes.map(\.subject))
        return Report(problems: problems.filter { !mistaken.contains($0.subject) }, causing: causes)
    }

    /// Warnings and notes about the service.
    ///
    /// - Parameter directives: The directives that its problems are about, which the remarks do not repeat.
    /// - Returns: The findings.
    func remarks(besides directives: Set<String>) -> Report {
        guard let service = place.service else { return Report() }
        var report = Report()
        // A program that runs has started with these lines.
        let code: FindingCode = atStart ? .startUncertain : .notChecked
        for (unit, message, isConflict) in service.doubts(besides: directives) {
            // A program can run although systemd did not open its socket.
            let ofUnit: Cause = unit == service.site.service ? .noAnswer : .programStopped
            let cause = isConflict ? .unitStopped : ofUnit
            report += Report(code, unit, message, explainedBy: atStart ? [] : [cause])
        }
        for (unit, message) in service.ignoredLines { report += Report(.notChecked, about: unit, notes: [message]) }
        if atStart, let (what, change) = service.messageAboutOpenSocket {
            report += Report(.socketOpen, service.site.socketUnit, what, remedies: [change])
        }
        if let command = service.enabling {
            let what = "neither this unit nor its socket unit is enabled, so systemd does not start them after a reboot"
            report += Report(.serviceDisabled, service.site.service, what, remedies: [command])
        }
        if let (what, change) = service.messageAboutRoot {
            report += Report(.serviceRoot, service.site.service, what, remedies: [change])
        }
        return report
    }

    /// A note for a command of another user than root and the service.
    func reader() -> Report {
        guard let service = place.service, !ActingUser.isRoot, let user = service.user?.user, user != .current else {
            return Report()
        }
        let note =
            "files were read as \(User.current.described), and \(service.site.service) runs as \(user.described): "
            + "run this command as root"
        return Report(.notChecked, notes: [note])
    }

    /// The files that the unit hides from the service.
    private func hidden(from service: SiteService) -> [ConfigurationError.Problem] {
        sources.files.filter { $0.path.hasPrefix("/") }.compactMap { name, path in
            service.messageAboutHidden(path).map { .init(subject: name, $0) }
        }
    }

    /// The service would not start, or the printed configuration would lead the web server to another site.
    private func otherSocket(_ service: SiteService) -> ConfigurationError.Problem? {
        guard let socket = service.socket, let text = sources.value(Setting.listen)?.text,
            !InstalledSite.all.contains(where: { $0 != service.site && SiteService($0).socket == socket })
        else { return nil }
        switch sources.ofRules.listen {
        case .unix(let path) where path != socket: break
        case .loopback where service.usesSocketUnitOnly: break
        case .automatic, .inherited, .unix, .loopback, nil: return nil
        }
        let message = "is \(text), and \(service.site.socketUnit) listens at \(socket): write unix:\(socket)"
        return .init(subject: Setting.listen.name, message: message)
    }

    /// The problem of a socket that somebody removed or closed: systemd makes it again only at the next start of the socket unit.
    ///
    /// There is none for a command of another user than root, as whom the package checks settings before it restarts the program.
    private func lostSocket(_ service: SiteService) -> ConfigurationError.Problem? {
        guard atStart, ActingUser.isRoot, let socket = service.socket, service.closedDirectories.isEmpty,
            ProcessCheck(serving: service.site) != nil
        else { return nil }
        if case .loopback = sources.ofRules.listen { return nil }
        let what: String
        if let status = try? FileStatus(path: socket) {
            // Connecting needs write permission (unix(7)).
            guard ~status.permissions & service.socketMode & 0o022 != 0 else { return nil }
            let (found, wanted) = (String(status.permissions, radix: 8), String(service.socketMode, radix: 8))
            what = "has the mode \(found) in place of \(wanted), which \(service.site.socketUnit) gives it"
        } else {
            what = "does not exist, and \(service.site.service) runs"
        }
        let effect = "so the web server cannot connect to the program"
        return .init(
            subject: socket,
            Advice("\(what), \(effect)", UnitCommands(site: service.site).start, restarts: true)
        )
    }

    private func unwritable(_ service: SiteService) -> ConfigurationError.Problem? {
        guard let path = sources.value(Setting.stateDirectory)?.text, path.hasPrefix("/"),
            !service.mayKeepState(in: path)
        else { return nil }
        if let line = service.lineClosing(path) {
            return service.problem("ReadOnlyPaths") { edit in
                "\(line) makes the state directory \(path) read-only for the program, so nobody can sign in: remove the line "
                    + "from the drop-in file (\(edit))"
            }
        }
        guard !service.stateDirectories.isEmpty || path != service.stateDirectory else {
            return service.problem("StateDirectory") { edit in
                "StateDirectory= is empty, so \(path) is read-only for the program: remove the line from the drop-in file (\(edit))"
            }
        }
        let message =
            "“\(path)” is read-only for \(service.site.service) (ProtectSystem=strict): remove the line, and the service "
            + "uses \(service.stateDirectory)"
        return .init(subject: Setting.stateDirectory.name, message: message)
    }

    /// The state directory of the unit, with which the program does not start.
    private func uncertainDirectory(_ service: SiteService) -> ConfigurationError.Problem? {
        let (path, own) = (sources.value(Setting.stateDirectory), service.stateDirectories)
        guard path?.text == service.stateDirectory else { return nil }
        if own.count > 1, path?.line == nil {
            return service.problem("StateDirectory") { SiteService.messageAboutDirectories(own, $0) }
        }
        let mode = service.stateDirectoryMode
        // A directory without the sessions of the site is another finding, and its remedy removes the mode too.
        guard !own.isEmpty, mode & 0o777 != 0o700, !StoreCheck.hasStoreElsewhere(service.stateDirectory, sources) else {
            return nil
        }
        let effect =
            mode & 0o077 == 0
            ? "the program cannot use the state directory after each start"
            : "other users can read the state directory after each start, and the program does not use it"
        return service.problem("StateDirectoryMode") { edit in
            "StateDirectoryMode= is \(String(mode, radix: 8)), so \(effect): write StateDirectoryMode=0700 after the last empty "
                + "line StateDirectory= (\(edit))"
        }
    }

    /// The addresses that another site has too, and the others that the service cannot use.
    private var addresses: [ConfigurationError.Problem] {
        let shared = sources.sharedValues
        return shared + refusedAddresses.filter { refused in !shared.contains { $0.subject == refused.subject } }
    }

    /// The addresses at which the service could not listen, so that it would not start.
    ///
    /// There are none for a command of another user than root and the service.
    private var refusedAddresses: [ConfigurationError.Problem] {
        guard ActingUser.isRoot || place.service == nil || place.service?.user?.user == .current else { return [] }
        var reader = SettingsReader(sources)
        let (listen, admin, group) = (reader.listen, reader.adminListen, reader.socketGroup)
        return ActingUser.perform(as: place.userOrOwner) {
            [refusedPort(listen), refusedAdmin(admin, group: group)].compactMap(\.self)
        }
    }

    /// A port in `SIGNIN_LISTEN` that this user may not use, or that another program uses.
    private func refusedPort(_ listen: ListenAddress) -> ConfigurationError.Problem? {
        guard case .loopback(let host, let port) = listen else { return nil }
        do throws(FastCGIError) {
            try Listener.check(host: host, port: UInt16(port))
            return nil
        } catch {
            if error.isInUse, !atStart || isOurs(host, port) { return nil }
            return .init(subject: Setting.listen.name, message: "\(error)")
        }
    }

    /// Whether linkedin-signin answers at a port: it answers each request of a script in JSON, also for an unknown path.
    ///
    /// A program with `SIGNIN_ALLOWED_USERS` may close the connection without an answer.
    private func isOurs(_ host: String, _ port: Int) -> Bool {
        do throws(Client.Failure) {
            let client = Client(.tcp(host: host, port: port), patience: .seconds(2))
            let answer = try client.ask(ProgramCheck.parameters(.get, SitePath.health.rawValue))
            return answer.headers[.contentType]?.hasPrefix("application/json") ?? false
        } catch {
            return error.reason == .closed && sources.value(Setting.allowedUsers) != nil
        }
    }

    private func refusedAdmin(_ admin: ListenAddress?, group: String?) -> ConfigurationError.Problem? {
        let subject = Setting.adminListen.name
        do throws(FastCGIError) {
            switch admin {
            case .unix(let path):
                if let problem = unwritableAdmin(path) { return problem }
                let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
                // systemd makes it at the start of the service.
                let isComing = place.service?.runtimeDirectories.contains(directory) == true
                if isComing, !FileManager.default.fileExists(atPath: directory) { return nil }
                try Listener.check(path: path, group: group)
            case .loopback(let host, let port): try Listener.check(host: host, port: UInt16(port), isShared: true)
            case .automatic, .inherited, nil: break
            }
            return nil
        } catch {
            return .init(subject: subject, message: "\(error)")
        }
    }

    private func unwritableAdmin(_ path: String) -> ConfigurationError.Problem? {
        guard let service = place.service else { return nil }
        let own = service.runtimeDirectories
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard !service.mayWrite(directory, orBelow: own + [service.stateDirectory]) else { return nil }
        let advice = own.first.map { "write unix:\($0)/socket" } ?? "use a port, such as tcp:127.0.0.1:9101"
        let message =
            "is in “\(directory)”, which is read-only for \(service.site.service) (ProtectSystem=strict): \(advice)"
        return .init(subject: Setting.adminListen.name, message: message)
    }
}
