import Encoding
import POSIX

import class FoundationEssentials.FileManager

// What keeps systemd from starting the service: root has to see it in `check`, before the restart fails.
extension SiteService {
    /// What is wrong with the units themselves.
    ///
    /// - Parameters:
    ///   - largestFile: The size of the largest file that the program writes, in bytes.
    ///   - objection: Why the program does not serve with these arguments; nil if it does.
    /// - Returns: The problems.
    package func problems(largestFile: Int = 0, _ objection: ([String]) -> String?) -> [ConfigurationError.Problem] {
        guard let unit else { return [] }
        let ofEach = installed.flatMap { unit in
            unknownAccounts(unit) + unmetConditions(unit) + WrongLines(site: site, unit: unit).problems
        }
        let ofUnits = units.compactMap(masked) + missingSocketUnit + closedSocket + closedDirectories + ofEach
        guard !unit.isMasked else { return ofUnits }
        let found = [
            ("ExecStart", wrongCommand(unit, objection)), ("LimitNOFILE", fewDescriptors(unit).map { Advice($0) }),
            ("LimitFSIZE", smallFiles(unit, largestFile).map { Advice($0) }), ("PrivateNetwork", privateNetwork(unit)),
            ("RestrictAddressFamilies", missingFamilies(unit)),
            ("WorkingDirectory", closedWorkingDirectory(unit)), ("", wrongLink),
        ]
        let ofLines = found.compactMap { key, message in message.map { unit.problem($0, at: unit.line(key)) } }
        return ofUnits + replacedVariables + ofLines + missingFiles(unit)
    }

    private var units: [SystemdUnit] { [unit, socketUnit].compactMap(\.self) }
    /// The units that systemd does not refuse as a whole.
    private var installed: [SystemdUnit] { units.filter { !$0.isMasked } }

    /// The command that lets systemd start the site after a reboot; nil if it does, and before the first start.
    ///
    /// One enabled unit is enough, because the service starts its socket, and the socket its service.
    package var enabling: String? {
        guard unit?.isMasked == false, hasStarted,
            ![site.service, site.socketUnit].contains(where: SystemdUnit.isEnabled)
        else { return nil }
        return "run: systemctl enable \(site.socketUnit) \(site.service)"
    }

    /// What may keep the units from starting, or the findings from being true, and what no file shows: whole sentences, each with
    /// the name of its unit, and whether the sentence is about another unit that systemd stops; nothing about the known
    /// directives.
    package func doubts(besides known: Set<String>) -> [(unit: String, message: String, isConflict: Bool)] {
        let untold = installed.flatMap { unit in
            UncertainLines.messages(unit, besides: known).map { (unit.name, $0, $1) }
        }
        let ofManager = ManagerEnvironment.messages(self).map { (site.service, $0, false) }
        return (hiddenCommand.map { [(site.service, $0, false)] } ?? []) + untold + ofManager
    }

    /// The lines of drop-in files that have no effect, each with the name of its unit.
    package var ignoredLines: [(unit: String, message: String)] {
        installed.flatMap { unit in
            unit.ignored.map { file, lines in
                let message =
                    "\(file): systemd ignores \(lines.joined(separator: ", ")): a section of this file has a wrong name, or does "
                    + "not have such lines. Settings of \(unit.ownSection) need this line above them"
                return (unit.name, message)
            }
        }
    }

    private var hiddenCommand: String? {
        guard let unit, !unit.isMasked, unit.values("ExecStart").count == 1 else { return nil }
        guard case .other(let words) = StartCommand(unit.words("ExecStart")) else { return nil }
        return
            "\(site.service): ExecStart= runs “\(words.joined(separator: " "))”, which does not show the settings of the program: "
            + "these findings are about \(site.settingsFile)"
    }

    /// The file descriptors that the program needs to start, and that should be free for connections.
    package static let descriptorReserve = 64

    private func smallFiles(_ unit: SystemdUnit, _ largest: Int) -> String? {
        guard let text = unit.value("LimitFSIZE"),
            let limit = UncertainLines.amount(String(text.prefix { $0 != ":" })), limit < Double(largest)
        else { return nil }
        return
            "LimitFSIZE=\(text): the kernel ends the program when it writes a larger file, and the program writes files of up to "
            + "\(largest) bytes: remove the line: \(unit.edit(unit.line("LimitFSIZE")))"
    }

    /// With fewer, `serve` ends with status 69.
    private func fewDescriptors(_ unit: SystemdUnit) -> String? {
        guard let text = unit.value("LimitNOFILE"), let limit = Int(text.prefix { $0 != ":" }),
            limit < Self.descriptorReserve
        else { return nil }
        return
            "LimitNOFILE=\(text) allows the program fewer than \(Self.descriptorReserve) file descriptors, so it does not start: "
            + "remove the line, or write LimitNOFILE=8192: \(unit.edit(unit.line("LimitNOFILE")))"
    }

    private func masked(_ unit: SystemdUnit) -> ConfigurationError.Problem? {
        guard let (path, other, hidesFile) = unit.mask else { return nil }
        // The socket unit may still run: only its restart passes its socket to the service again.
        let socket = unit.name == site.socketUnit ? "\(site.socketUnit) " : ""
        let restart = "systemctl restart \(socket)\(site.service)"
        let reload = "systemctl daemon-reload && \(restart)"
        let removal = Advice(
            "replaces the unit file of the package",
            "run: rm \(ShellWord.quoted(path)) && \(reload)",
            restarts: true
        )
        switch other {
        case .ofSite(let other):
            return unit.problem(removal.after("\(path) starts the site of \(other.service), and "), at: nil)
        case .template:
            let template = unit.name.replacing("linkedin-signin.", with: "linkedin-signin@.")
            let what =
                "\(path) is a copy of \(template), the unit file for sites with a name, and systemd replaces %i by nothing in a unit "
                + "without @ in its name, so this unit names no site"
            let copy = "copy \(unit.name) of the release to \(path), then run: \(reload)"
            let advice = hidesFile ? removal.after("\(what). This copy ") : Advice("\(what): \(copy)", restarts: true)
            return unit.problem(advice, at: nil)
        case nil: break
        }
        let mask = (path.hasPrefix("/run/") ? "--runtime " : "") + (path.split(separator: "/").last ?? "")
        let command = "run: systemctl unmask \(mask) && \(restart)"
        return unit.problem(Advice("is masked, so systemd does not start it", command, restarts: true), at: nil)
    }

    private var missingSocketUnit: [ConfigurationError.Problem] {
        guard socketUnit == nil, unit?.words("Requires").contains(site.socketUnit) == true else { return [] }
        let message = "does not exist, and Requires= of \(site.service) names it: install the package again"
        return [.init(subject: site.socketUnit, Advice(message).about(["Requires"]))]
    }

    /// Web servers do not run as root, which may always connect.
    package var closedSocket: [ConfigurationError.Problem] {
        guard let socketUnit, !socketUnit.isMasked else { return [] }
        guard !socketUnit.values("ListenStream").isEmpty else {
            let line = socketUnit.line("ListenStream")
            let message =
                "the unit has no ListenStream= line, so systemd does not start it: write ListenStream=\(site.socket) "
                + "(\(socketUnit.edit(line)))"
            return [socketUnit.problem(Advice(message), at: line)]
        }
        let (user, group) = (socketUnit.value("SocketUser") ?? "root", socketUnit.value("SocketGroup") ?? "root")
        guard socket != nil, User(user)?.id == 0, socketMode & 0o002 == 0 else { return [] }
        let isGroupClosed = socketMode & 0o020 == 0
        guard isGroupClosed || Group(group)?.id == 0 else { return [] }
        let (key, value, remedy) =
            isGroupClosed
            ? ("SocketMode", String(socketMode, radix: 8), "SocketMode=0660")
            : ("SocketGroup", group, "SocketGroup= with the group of the web server, such as www-data")
        let line = socketUnit.line(key)
        let message =
            "\(key)= is \(value), so the web server cannot connect to the program: write \(remedy) (\(socketUnit.edit(line))), then "
            + "run: systemctl restart \(site.socketUnit) \(site.service)"
        return [socketUnit.problem(Advice(message, restarts: true), at: line)]
    }

    /// The variables of systemd that the unit replaces, so that the program uses other directories than systemd makes.
    private var replacedVariables: [ConfigurationError.Problem] {
        variables.filter { Self.variablesOfSystemd.contains($0.key) }.sorted { $0.key < $1.key }.map { name, value in
            let message =
                "\(name)=\(value.text): systemd sets this variable for the program: remove it from \(value.place), then run: "
                + "systemctl daemon-reload"
            return .init(subject: site.service, message: message, place: value.place)
        }
    }

    /// The users and groups of a unit that this machine lacks, and that systemd does not make.
    private func unknownAccounts(_ unit: SystemdUnit) -> [ConfigurationError.Problem] {
        let users = [("User", unit.userName), ("SocketUser", unit.value("SocketUser"))]
        let groups = ["Group", "SocketGroup"].map { ($0, unit.value($0)) }
        let others = unit.words("SupplementaryGroups").map { ("SupplementaryGroups", Optional($0)) }
        let missingUsers = users.compactMap { key, name in name.flatMap { User($0) == nil ? (key, $0, "user") : nil } }
        let missingGroups = (groups + others).compactMap { key, name in
            name.flatMap { Group($0) == nil ? (key, $0, "group") : nil }
        }
        return (missingUsers + missingGroups).compactMap { key, name, kind in
            let line = unit.line(key, with: name)
            var what = "this machine has no such \(kind)"
            if unit.isOn("DynamicUser"), ["User", "Group"].contains(key) {
                // systemd makes both a user and a group, unless one of them exists (systemd.exec(5)).
                let other = kind == "user" ? "group" : "user"
                guard kind == "user" ? Group(name) != nil : User(name) != nil else { return nil }
                what =
                    "this machine has a \(other) \(name) and no \(kind) of this name, so with DynamicUser=yes, systemd does not start "
                    + "the service"
            }
            let remedy = ManagedFile.creation(of: name) ?? "correct the line: \(unit.edit(line))"
            return unit.problem(Advice("\(key)=\(name): \(what)", remedy), at: line)
        }
    }

    /// The conditions because of which systemd would not start a unit.
    private func unmetConditions(_ unit: SystemdUnit) -> [ConfigurationError.Problem] {
        unit.additions.compactMap { line in
            guard let (path, exists, isMet) = Self.condition(line), !isMet else { return nil }
            let message =
                "\(line.key)=\(line.value): \(path) \(exists ? "exists" : "does not exist"), so systemd does not start the unit: "
                + "\(exists ? "remove" : "create") this path, or remove the line from \(line.file)"
            return unit.problem(Advice(message), at: line)
        }
    }

    /// Whether a condition is met (systemd.unit(5)); nil for other lines, and if the existence of the path does not decide.
    static func condition(_ line: SystemdUnit.Addition) -> (path: String, exists: Bool, isMet: Bool)? {
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

    private func privateNetwork(_ unit: SystemdUnit) -> Advice? {
        guard unit.isOn("PrivateNetwork") else { return nil }
        let what = "PrivateNetwork=yes: the program cannot call a provider, so nobody can sign in"
        return Advice(what, "remove the line from the drop-in file: \(unit.edit(unit.line("PrivateNetwork")))")
    }

    /// What keeps the program from calling any provider, or from telling systemd that it is ready.
    private func missingFamilies(_ unit: SystemdUnit) -> Advice? {
        let missing = unit.missingFamilies(of: ["AF_UNIX", "AF_INET", "AF_INET6"])
        guard missing.contains("AF_UNIX") || missing.count > 1 else { return nil }
        return Advice(
            "RestrictAddressFamilies= does not allow \(missing.joined(separator: ", ")), which the program needs to call a "
                + "provider (AF_INET or AF_INET6) and to tell systemd that it is ready (AF_UNIX)",
            "remove the line from the drop-in file: \(unit.edit(unit.line("RestrictAddressFamilies")))"
        )
    }

    /// The files and directories of the unit that do not exist.
    private func missingFiles(_ unit: SystemdUnit) -> [ConfigurationError.Problem] {
        let optional = Set((unit.values("SetCredential") + unit.values("SetCredentialEncrypted")).map(Self.nameInFront))
        let credentials = ["LoadCredential", "LoadCredentialEncrypted"].flatMap { key in
            unit.values(key).filter { !optional.contains(Self.nameInFront($0)) }.compactMap { value in
                value.firstIndex(of: ":").map { (key, value, String(value[value.index(after: $0)...])) }
            }
        }
        let named = ["EnvironmentFile", "WorkingDirectory"].flatMap { key in unit.values(key).map { (key, $0, $0) } }
        let mounted = ["ReadWritePaths", "ReadOnlyPaths", "InaccessiblePaths", "ExecPaths", "NoExecPaths"]
        // A colon follows the source of a bind mount.
        let bound = ["BindPaths", "BindReadOnlyPaths"]
        let paths = (mounted + bound).flatMap { key in unit.words(key).map { (key, $0, Self.nameInFront($0)) } }
        // A hyphen in front lets systemd ignore a missing file; other characters stand for names that are not known here.
        return (named + credentials + paths).compactMap { key, value, path in
            guard UncertainLines.isPlain(path), !isMade(path) else { return nil }
            let isFolder = key == "EnvironmentFile" && Self.isFolder(path)
            guard isFolder || Self.isMissing(path) else { return nil }
            let (what, remedy) = isFolder ? ("is a directory", "name a file") : ("does not exist", "create it")
            let line = unit.line(key, with: value)
            let message =
                "\(key)=\(value): \(path) \(what), so systemd does not start the service: \(remedy), or remove the line: "
                + unit.edit(line)
            // A setting without a value is no second problem if systemd cannot load the value.
            let setting = key.hasPrefix("LoadCredential") ? Self.setting(ofCredential: Self.nameInFront(value)) : nil
            return .init(subject: setting?.name ?? site.service, Advice(message).about([key]), place: line?.place)
        }
    }

    /// The setting whose value a credential is; nil if there is none.
    private static func setting(ofCredential name: String) -> Setting? {
        Setting.all.first { $0.name == name.uppercased().replacing("-", with: "_") }
    }

    /// Whether the program uses a credential in `LoadCredential=`.
    static func usesCredential(_ value: String) -> Bool {
        let name = nameInFront(value)
        return name == providerSecrets || setting(ofCredential: name) != nil
    }

    private static func nameInFront(_ value: String) -> String { String(value.prefix { $0 != ":" }) }

    /// The message about a working directory that the user of the service cannot enter.
    private func closedWorkingDirectory(_ unit: SystemdUnit) -> Advice? {
        guard let path = unit.value("WorkingDirectory"), UncertainLines.isPlain(path), !isMade(path),
            !Self.isMissing(path)
        else { return nil }
        // Other users than root cannot find it out.
        let isOpen = !ActingUser.isRoot || ActingUser.perform(as: user) { (try? FileStatus(path: path + "/.")) != nil }
        let hiding = unit.lineHiding(path)
        let hidden = hiding.map { "is hidden from the service (\($0))" }
        guard let reason = hidden ?? (isOpen ? nil : "is not a directory that the user of the service can enter") else {
            return nil
        }
        let message =
            "WorkingDirectory=\(path): \(path) \(reason), so systemd does not start the service: remove the line: "
            + unit.edit(unit.line("WorkingDirectory"))
        return Advice(message).about(SystemdUnit.hiding.filter { hiding?.hasPrefix("\($0)=") == true })
    }

    /// Whether systemd makes a directory for the service, or may have made it.
    private func isMade(_ path: String) -> Bool {
        (stateDirectories + runtimeDirectories).contains { Self.contains($0, path) }
    }

    private static func isFolder(_ path: String) -> Bool {
        ActingUser.performAsRoot { (try? FileStatus(path: path))?.kind == .directory }
    }

    private static func isMissing(_ path: String) -> Bool {
        ActingUser.performAsRoot { !FileManager.default.fileExists(atPath: path) }
    }

    private func wrongCommand(_ unit: SystemdUnit, _ objection: ([String]) -> String?) -> Advice? {
        let edit = unit.edit(unit.line("ExecStart"))
        guard unit.values("ExecStart").count == 1 else {
            let count = unit.values("ExecStart").isEmpty ? "no ExecStart= line" : "more than one ExecStart= line"
            return Advice(
                "the unit has \(count), so systemd does not start the service: in the drop-in file, write an empty line "
                    + "ExecStart= and then one command: \(edit)"
            )
        }
        let words = unit.words("ExecStart")
        if let sign = StartCommand.signOfRoot(words), let user = unit.userName, User(user)?.id != 0 {
            return Advice(
                "ExecStart= begins with “\(sign)”, so systemd starts the program as root, and then the program does not use the "
                    + "state directory of user \(user): remove this sign: \(edit)"
            )
        }
        if let advice = WrongLines(site: site, unit: unit).objection(toCommand: words, as: user) {
            return (advice.remedy == nil ? "\(advice): correct the path: \(edit)" : advice).after("ExecStart=: ")
        }
        guard case .serve(let program, let arguments, let setsEnvironment) = StartCommand(words) else { return nil }
        if let advice = messageAboutHidden(program) { return advice.after("ExecStart=: ") }
        if let objection = objection(arguments) {
            let command = words.joined(separator: " ")
            let what = "ExecStart= runs “\(command)”, with which the program does not start: \(objection)"
            return Advice(what, "correct the line: \(edit)")
        }
        let file = StartCommand.settingsFile(arguments)
        let isSetting: (String) -> Bool = { name in Setting.all.contains { $0.name == name } }
        let isFromEnvironment = setsEnvironment || environment.keys.contains(where: isSetting)
        let read = file ?? (isFromEnvironment ? nil : InstalledSite.unnamed.settingsFile)
        guard read.flatMap(InstalledSite.init(settingsFile:)) != site else { return nil }
        let named = read.map { "the settings file \($0)" } ?? "no settings file"
        let other = read.map { ", or run this command with --settings-file \(ShellWord.quoted($0))" } ?? ""
        return
            "ExecStart= names \(named), and this command reads \(site.settingsFile): correct the line: \(edit)\(other)"
    }

    /// With `DynamicUser=`, systemd moves the state directory behind a link, unless something else is in the way.
    private var wrongLink: Advice? {
        guard unit?.isOn("DynamicUser") == true else { return nil }
        return ActingUser.performAsRoot {
            let parent = StateDirectory.parentBehindLinks
            // The package checks settings as the user of the service, below a directory of its own.
            let mode = (try? FileStatus(path: parent))?.permissions ?? 0
            if ActingUser.isRoot, !stateDirectories.isEmpty, mode & 0o077 != 0 {
                let what = "\(parent) is open to other users (mode \(String(mode, radix: 8)))"
                return Advice("\(what), so systemd does not start the service", "run: chmod 700 \(parent)")
            }
            return stateDirectories.compactMap(messageAboutLostLink).first
        }
    }
}
