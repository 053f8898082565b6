import Encoding
import POSIX

import class FoundationEssentials.FileManager

// What keeps systemd from starting the service: root has to see it in `check`, before the restart fails.
extension SiteService {
    /// What is wrong with the units themselves.
    ///
    /// - Parameter objection: Why the program does not serve with these arguments; nil if it does.
    /// - Returns: The problems.
    package func problems(_ objection: ([String]) -> String?) -> [ConfigurationError.Problem] {
        guard let unit else { return [] }
        let ofEach = installed.flatMap { name, unit in
            (unknownAccounts(unit) + unmetConditions(unit)).map {
                ConfigurationError.Problem(subject: name, message: $0)
            }
        }
        let ofUnits = maskedUnits + missingSocketUnit + closedSocket + removedSockets + ofEach
        guard !unit.isMasked else { return ofUnits }
        let messages = missingFiles(unit) + [missingNetwork(unit), wrongLink].compactMap(\.self)
        let found = [("ExecStart", wrongCommand(unit, objection)), ("LimitNOFILE", fewDescriptors(unit))]
        let ofLines = found.compactMap { key, message in
            message.map { ConfigurationError.Problem(subject: site.service, message: $0, place: unit.place(of: key)) }
        }
        return ofUnits + ofLines + messages.map { .init(subject: site.service, message: $0) }
    }

    /// The units that systemd does not refuse as a whole.
    private var installed: [(name: String, unit: SystemdUnit)] {
        [(site.service, unit), (site.socketUnit, socketUnit)].compactMap { name, unit in
            unit.flatMap { $0.isMasked ? nil : (name, $0) }
        }
    }

    /// The command that lets systemd start the site after a reboot; nil if it does, and before the first start.
    ///
    /// One enabled unit is enough, because the service starts its socket, and the socket its service.
    package var enabling: String? {
        guard unit?.isMasked == false, hasStarted,
            ![site.service, site.socketUnit].contains(where: SystemdUnit.isEnabled)
        else { return nil }
        return "run: systemctl enable \(site.socketUnit) \(site.service)"
    }

    /// What the files of the units do not show.
    package var doubts: [String] {
        hiddenSettings + installed.flatMap { unjudgedLines($0.name, $0.unit) + ignoredLines($0.unit) }
    }

    /// The lines of drop-in files that have no effect.
    private func ignoredLines(_ unit: SystemdUnit) -> [String] {
        unit.ignored.map { file, lines in
            "\(file): systemd ignores \(lines.joined(separator: ", ")): a section of this file has a wrong name, or does not have "
                + "such lines. Settings of \(unit.ownSection) need this line above them"
        }
    }

    private var hiddenSettings: [String] {
        guard let unit, !unit.isMasked, unit.values("ExecStart").count == 1 else { return [] }
        guard case .other(let words) = StartCommand(unit.words("ExecStart")) else { return [] }
        let command = words.joined(separator: " ")
        return [
            "\(site.service): ExecStart= runs “\(command)”, which does not show the settings of the program: these "
                + "findings are about \(site.settingsFile)"
        ]
    }

    /// The lines of drop-in files that could keep the unit from starting, and of which only a start shows the effect.
    private func unjudgedLines(_ name: String, _ unit: SystemdUnit) -> [String] {
        let lines = unit.additions.filter { line in
            !Self.judged.contains(line.key) && !["no", "false", "off", "0"].contains(line.value.lowercased())
                && Self.condition(line) == nil && !Self.isRaised(line)
        }
        return Dictionary(grouping: lines, by: \.file).sorted { $0.key < $1.key }.map { file, lines in
            let keys = Set(lines.map { "\($0.key)=" }).sorted().joined(separator: ", ")
            return
                "\(file) sets \(keys), and check cannot tell whether \(name) starts with this file: after a restart, run: "
                + "systemctl status \(name)"
        }
    }

    /// Whether a line gives the service at least as much of something as the unit of the package, with which it starts.
    private static func isRaised(_ line: SystemdUnit.Addition) -> Bool {
        guard line.value != "infinity" else { return true }
        guard ["MemoryMax", "TasksMax"].contains(line.key), let given = amount(line.value),
            let packaged = line.packaged.flatMap(amount)
        else { return false }
        return given >= packaged
    }

    /// The number of a limit, in which systemd multiplies by powers of 1024; nil for a percentage.
    private static func amount(_ text: String) -> Double? {
        guard let power = text.last.flatMap({ Array("KMGT").firstIndex(of: $0) }) else { return Double(text) }
        return Double(text.dropLast()).map { $0 * Double(1 << (10 * (power + 1))) }
    }

    /// The file descriptors that should be free for connections.
    package static let descriptorReserve = 64

    /// With fewer than about 24, a start ends with status 69; with a few more, the program starts and refuses connections.
    private func fewDescriptors(_ unit: SystemdUnit) -> String? {
        guard let text = unit.value("LimitNOFILE"), let limit = Int(text.prefix { $0 != ":" }),
            limit < Self.descriptorReserve
        else { return nil }
        return
            "LimitNOFILE=\(text) allows the program fewer than \(Self.descriptorReserve) file descriptors, so it does not start, or "
            + "has too few of them for connections: remove the line, or write LimitNOFILE=8192: systemctl edit \(site.service)"
    }

    /// The directives that other findings are about, and those with which a unit starts.
    private static let judged: Set = [
        // Other findings.
        "DynamicUser", "Environment", "EnvironmentFile", "ExecStart", "Group", "LimitNOFILE", "ListenStream",
        "LoadCredential", "LoadCredentialEncrypted", "PrivateNetwork", "PrivateTmp", "ProtectHome", "ProtectSystem",
        "ReadWritePaths", "RestrictAddressFamilies", "RuntimeDirectory", "SetCredential", "SetCredentialEncrypted",
        "SocketGroup", "SocketMode", "SocketUser", "StateDirectory", "StateDirectoryMode", "SupplementaryGroups",
        "User", "WorkingDirectory",
        // The others.
        "After", "Backlog", "CPUQuota", "CPUWeight", "Description", "Documentation", "IOWeight", "LimitCORE",
        "LogLevelMax", "LogRateLimitBurst", "LogRateLimitIntervalSec", "MemoryHigh", "Nice", "OnFailure", "Restart",
        "RestartSec", "StartLimitIntervalSec", "SyslogIdentifier", "TimeoutStopSec", "WantedBy", "Wants",
    ]

    private var maskedUnits: [ConfigurationError.Problem] {
        [(site.service, unit), (site.socketUnit, socketUnit)].filter { $0.1?.isMasked == true }.map { name, _ in
            let message = "is masked, so systemd does not start it; run: systemctl unmask \(name)"
            return .init(subject: name, message: message)
        }
    }

    private var missingSocketUnit: [ConfigurationError.Problem] {
        guard socketUnit == nil, unit?.words("Requires").contains(site.socketUnit) == true else { return [] }
        let message = "does not exist, and Requires= of \(site.service) names it: install the package again"
        return [.init(subject: site.socketUnit, message: message)]
    }

    /// Web servers do not run as root, which may always connect.
    private var closedSocket: [ConfigurationError.Problem] {
        guard let socketUnit, socket != nil, socketMode & 0o022 == 0,
            [nil, "root"].contains(socketUnit.value("SocketUser"))
        else { return [] }
        let message =
            "SocketMode= is \(String(socketMode, radix: 8)), so the web server cannot connect to the program: write "
            + "SocketMode=0660 (systemctl edit \(site.socketUnit))"
        return [.init(subject: site.socketUnit, message: message)]
    }

    /// The permissions of the socket that systemd opens for web servers.
    package var socketMode: UInt32 { socketUnit?.value("SocketMode").flatMap { UInt32($0, radix: 8) } ?? 0o666 }

    /// The message about a socket to which the user of the web server cannot connect; nil if the user can, or if this machine
    /// does not know the user.
    ///
    /// - Parameters:
    ///   - name: The user.
    ///   - group: The group that the configuration of the web server names, if any.
    /// - Returns: The message.
    package func messageAboutWebUser(_ name: String, group: String?) -> String? {
        guard let socketUnit, let socket, let user = User(name), user.id != 0 else { return nil }
        let owner = socketUnit.value("SocketUser").flatMap { User($0) } ?? User(id: 0)
        let socketGroup = socketUnit.value("SocketGroup").flatMap { Group($0)?.id } ?? owner.groups.first
        let groups = user.groups + [group.flatMap { Group($0)?.id }].compactMap(\.self)
        let isMember = socketGroup.map(groups.contains) ?? false
        let permissions = user.id == owner.id ? socketMode >> 6 : isMember ? socketMode >> 3 : socketMode
        // Connecting needs write permission (unix(7)).
        guard permissions & 0o2 == 0 else { return nil }
        let edit = "systemctl edit \(site.socketUnit), and write these lines: [Socket], SocketGroup=\(group ?? name)"
        return
            "the web server runs as user \(name), who may not connect to \(socket) (SocketGroup= and SocketMode= of "
            + "\(site.socketUnit)). Run: \(edit), SocketMode=0660; then run: systemctl restart \(site.socketUnit)"
    }

    /// A service removes its `RuntimeDirectory=` when it stops: the sockets for web servers cannot be there.
    private var removedSockets: [ConfigurationError.Problem] {
        let own = [socket ?? site.socket]
        let others = InstalledSite.all.filter { $0 != site }.map(SiteService.init)
        return ([self] + others).compactMap { service in
            guard service.unit?.value("RuntimeDirectoryPreserve") != "yes",
                let directory = service.runtimeDirectories.first(where: { path in
                    own.contains { $0.hasPrefix(path + "/") }
                })
            else { return nil }
            let message =
                "systemd removes RuntimeDirectory= (\(directory)) when it stops the service, and the sockets of the web server "
                + "in it: remove the line (systemctl edit \(service.site.service))"
            return .init(subject: service.site.service, message: message)
        }
    }

    /// The users and groups of a unit that this machine lacks, and that systemd does not make.
    private func unknownAccounts(_ unit: SystemdUnit) -> [String] {
        let isDynamic = unit.isOn("DynamicUser")
        let users = [("User", unit.userName), ("SocketUser", unit.value("SocketUser"))]
        let groups = ["Group", "SocketGroup"].map { ($0, unit.value($0)) }
        let others = unit.words("SupplementaryGroups").map { ("SupplementaryGroups", Optional($0)) }
        let missingUsers = users.compactMap { key, name in name.flatMap { User($0) == nil ? (key, $0, "user") : nil } }
        let missingGroups = (groups + others).compactMap { key, name in
            name.flatMap { Group($0) == nil ? (key, $0, "group") : nil }
        }
        return (missingUsers + missingGroups).compactMap { key, name, kind in
            guard isDynamic, ["User", "Group"].contains(key) else {
                return "\(key)=\(name): this machine has no such \(kind)"
            }
            // systemd makes both a user and a group, unless one of them exists (systemd.exec(5)).
            let other = kind == "user" ? "group" : "user"
            guard kind == "user" ? Group(name) != nil : User(name) != nil else { return nil }
            let remedy = ManagedFile.creation(of: name) ?? "correct the line: systemctl edit \(site.service)"
            return
                "\(key)=\(name): this machine has a \(other) \(name) and no \(kind) of this name, and with DynamicUser=yes, "
                + "systemd does not start the service then; \(remedy)"
        }
    }

    /// The conditions because of which systemd would not start a unit.
    private func unmetConditions(_ unit: SystemdUnit) -> [String] {
        unit.additions.compactMap { line in
            guard let (path, exists, isMet) = Self.condition(line), !isMet else { return nil }
            return
                "\(line.key)=\(line.value): \(path) \(exists ? "exists" : "does not exist"), so systemd does not start the unit: "
                + "\(exists ? "remove" : "create") this path, or remove the line from \(line.file)"
        }
    }

    /// Whether a condition is met (systemd.unit(5)); nil for other lines, and if the existence of the path does not decide.
    private static func condition(_ line: SystemdUnit.Addition) -> (path: String, exists: Bool, isMet: Bool)? {
        let kinds = [
            "PathExists", "PathIsDirectory", "PathIsMountPoint", "PathIsReadWrite", "PathIsSymbolicLink",
            "FileNotEmpty", "DirectoryNotEmpty", "FileIsExecutable",
        ]
        guard let kind = kinds.first(where: { ["Condition" + $0, "Assert" + $0].contains(line.key) }) else {
            return nil
        }
        let (isNegated, path) = (line.value.hasPrefix("!"), String(line.value.drop { $0 == "!" }))
        guard path.hasPrefix("/"), !path.contains("%") else { return nil }
        let exists = !isMissing(path)
        return exists && kind != "PathExists" ? nil : (path, exists, exists != isNegated)
    }

    /// What keeps the program from calling any provider, or from telling systemd that it is ready.
    private func missingNetwork(_ unit: SystemdUnit) -> String? {
        let remedy = "remove the line from the drop-in file: systemctl edit \(site.service)"
        guard !unit.isOn("PrivateNetwork") else {
            return "PrivateNetwork=yes: the program cannot call a provider, so nobody can sign in; \(remedy)"
        }
        let needed: Set = ["AF_UNIX", "AF_INET", "AF_INET6"]
        var allowed: Set<String>?
        for value in unit.values("RestrictAddressFamilies") {
            let names = Set(value.drop { $0 == "~" }.split(separator: " ").map(String.init))
            allowed = value.hasPrefix("~") ? (allowed ?? needed).subtracting(names) : (allowed ?? []).union(names)
        }
        let missing = needed.subtracting(allowed ?? needed).sorted()
        guard missing.contains("AF_UNIX") || missing.count > 1 else { return nil }
        return
            "RestrictAddressFamilies= does not allow \(missing.joined(separator: ", ")), which the program needs to call a "
            + "provider (AF_INET or AF_INET6) and to tell systemd that it is ready (AF_UNIX); \(remedy)"
    }

    /// The files and directories of the unit that do not exist.
    private func missingFiles(_ unit: SystemdUnit) -> [String] {
        let optional = Set((unit.values("SetCredential") + unit.values("SetCredentialEncrypted")).map(Self.nameInFront))
        let credentials = ["LoadCredential", "LoadCredentialEncrypted"].flatMap { key in
            unit.values(key).filter { !optional.contains(Self.nameInFront($0)) }.compactMap { value in
                value.firstIndex(of: ":").map { (key, value, String(value[value.index(after: $0)...])) }
            }
        }
        let named = ["EnvironmentFile", "WorkingDirectory"].flatMap { key in unit.values(key).map { (key, $0, $0) } }
        let mounted = ["ReadWritePaths", "ReadOnlyPaths", "InaccessiblePaths", "ExecPaths", "NoExecPaths"]
        let paths = mounted.flatMap { key in unit.words(key).map { (key, $0, $0) } }
        // A hyphen in front lets systemd ignore a missing file; other characters stand for names that are not known here.
        return (named + credentials + paths).compactMap { key, value, path in
            guard path.hasPrefix("/"), !path.contains(where: { "*?[%$".contains($0) }), Self.isMissing(path) else {
                return nil
            }
            return
                "\(key)=\(value): \(path) does not exist, so systemd does not start the service: create it, or remove the "
                + "line: systemctl edit \(site.service)"
        }
    }

    private static func nameInFront(_ value: String) -> String { String(value.prefix { $0 != ":" }) }

    private static func isMissing(_ path: String) -> Bool {
        ActingUser.performAsRoot { !FileManager.default.fileExists(atPath: path) }
    }

    private func wrongCommand(_ unit: SystemdUnit, _ objection: ([String]) -> String?) -> String? {
        let edit = "systemctl edit \(site.service)"
        guard unit.values("ExecStart").count == 1 else {
            let count = unit.values("ExecStart").isEmpty ? "no ExecStart= line" : "more than one ExecStart= line"
            return
                "the unit has \(count), so systemd does not start the service: in the drop-in file, write an empty line "
                + "ExecStart= and then one command: \(edit)"
        }
        let words = unit.words("ExecStart")
        guard case .serve(let program, let arguments, let setsEnvironment) = StartCommand(words) else { return nil }
        if program.hasPrefix("/"), Self.isMissing(program) {
            return "ExecStart= runs \(program), which does not exist: correct the path: \(edit)"
        }
        if let objection = objection(arguments) {
            let command = words.joined(separator: " ")
            return
                "ExecStart= runs “\(command)”, with which the program does not start: \(objection); correct the line: \(edit)"
        }
        let file = StartCommand.settingsFile(arguments)
        let isSetting: (String) -> Bool = { name in Setting.all.contains { $0.name == name } }
        let isFromEnvironment = setsEnvironment || environment.keys.contains(where: isSetting)
        let read = file ?? (isFromEnvironment ? nil : InstalledSite.unnamed.settingsFile)
        guard read != site.settingsFile else { return nil }
        let named = read.map { "the settings file \($0)" } ?? "no settings file"
        let other = read.map { ", or run this command with --settings-file \(ShellWord.quoted($0))" } ?? ""
        return
            "ExecStart= names \(named), and this command reads \(site.settingsFile): correct the line: \(edit)\(other)"
    }

    /// With `DynamicUser=`, systemd moves the state directory behind a link, unless something else is in the way.
    private var wrongLink: String? {
        guard unit?.isOn("DynamicUser") == true else { return nil }
        return ActingUser.performAsRoot {
            let parent = StateDirectory.parentBehindLinks
            // The package checks settings as the user of the service, below a directory of its own.
            let mode = (try? FileStatus(path: parent))?.permissions ?? 0
            if ActingUser.isRoot, !stateDirectories.isEmpty, mode & 0o077 != 0 {
                return
                    "\(parent) is open to other users (mode \(String(mode, radix: 8))), so systemd does not start the service; "
                    + "run: chmod 700 \(parent)"
            }
            return stateDirectories.first(where: hasLostLink).map { path in
                let place = StateDirectory.behindLink(path) ?? path
                return
                    "\(path) is not a link to \(place), and both exist, so systemd does not start the service: keep the one "
                    + "with the sessions at \(place), and move the other one away"
            }
        }
    }

    /// Whether something else is at the place of systemd's link to a state directory, which is the fault to report: nothing is
    /// known of the store then.
    package func hasLostLink(to path: String) -> Bool {
        guard unit?.isOn("DynamicUser") == true, stateDirectories.contains(path),
            let place = StateDirectory.behindLink(path)
        else { return false }
        return ActingUser.performAsRoot {
            (try? FileStatus(path: place)) != nil && (try? FileStatus(path: path)) != nil
                && StateDirectory.resolved(path) != StateDirectory.resolved(place)
        }
    }
}

/// The command of a service that starts the program.
enum StartCommand: Equatable {
    /// The program at a path, with arguments in which nothing is to be replaced.
    case serve(program: String, arguments: [String], setsEnvironment: Bool)
    /// Another command, such as a script.
    case other([String])

    /// - Parameter words: The words of `ExecStart=`.
    init(_ words: [String]) {
        self = .other(words)
        // Characters in front of the path change how systemd runs the command (systemd.service(5)).
        var rest = words.prefix(1).map { String($0.drop { "@-:+!|".contains($0) }) } + words.dropFirst()
        var setsEnvironment = false
        if rest.first == "/usr/bin/env" || rest.first == "env" {
            rest.removeFirst()
            while let word = rest.first, let equals = word.firstIndex(of: "=") {
                let name = word[..<equals]
                let isSetting = name != Setting.listen.name && Setting.all.contains { $0.name == name }
                setsEnvironment = setsEnvironment || isSetting
                rest.removeFirst()
            }
        }
        guard let program = rest.first, program.split(separator: "/").last == "linkedin-signin",
            !rest.contains(where: { $0.contains("$") })
        else { return }
        self = .serve(program: program, arguments: Array(rest.dropFirst()), setsEnvironment: setsEnvironment)
    }

    /// The settings file that an option names; nil without such an option.
    static func settingsFile(_ arguments: [String]) -> String? {
        var file: String?
        var options = arguments[...]
        while let word = options.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1)
            guard let name = parts.first, name == "--settings-file" || name == "--site",
                let value = parts.count == 2 ? String(parts[1]) : options.popFirst()
            else { continue }
            file = name == "--site" ? InstalledSite(named: value)?.settingsFile : value
        }
        return file
    }
}
