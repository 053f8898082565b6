package import Encoding
package import POSIX

import struct FoundationEssentials.URL

/// The service of an installed site, as its units describe it: what systemd gives the program when it starts it.
package struct SiteService: Sendable {
    package let site: InstalledSite
    /// Nil if this machine has no such unit.
    let unit: SystemdUnit?
    let socketUnit: SystemdUnit?

    package init(_ site: InstalledSite) {
        self.site = site
        unit = SystemdUnit(named: site.service)
        socketUnit = SystemdUnit(named: site.socketUnit)
    }

    /// For tests.
    init(_ site: InstalledSite, unit: SystemdUnit, socketUnit: SystemdUnit?) {
        (self.site, self.unit, self.socketUnit) = (site, unit, socketUnit)
    }

    /// Whether this machine has the unit.
    package var isInstalled: Bool { unit != nil }

    /// Whether the unit file is one of another site or of all sites, in place of that of the package.
    package var startsAnotherSite: Bool { unit?.mask?.unit != nil }

    /// The environment variables that the unit sets, without those of systemd and those in front of the program's command.
    package var environment: [String: String] {
        variables.filter { !Self.variablesOfSystemd.contains($0.key) }.mapValues(\.text)
    }

    /// The variables that systemd sets for the program, and that the program uses (systemd.exec(5)).
    static let variablesOfSystemd: Set = [
        "CREDENTIALS_DIRECTORY", "LISTEN_FDS", "LISTEN_PID", "NOTIFY_SOCKET", "STATE_DIRECTORY", "WATCHDOG_PID",
        "WATCHDOG_USEC",
    ]

    /// The unit, or the line of its drop-in file or of the `EnvironmentFile=`, that sets a variable; nil if none does.
    package func placeInUnit(of name: String) -> String? { variables[name]?.place }

    /// What sets a variable of the service, with what opens its file in an editor.
    package func describedPlace(of name: String) -> String {
        let place = placeInUnit(of: name) ?? site.service
        let line = unit?.additions.last { $0.key == "Environment" && $0.place == place }
        return line == nil && place != site.service ? place : "\(place) (\(unit?.edit(line) ?? ""))"
    }

    var variables: [String: (text: String, place: String)] {
        guard let unit else { return [:] }
        var variables: [String: (text: String, place: String)] = [:]
        for value in unit.values("Environment") {
            let place = unit.additions.last { $0.key == "Environment" && $0.value == value }?.place
            for word in SystemdUnit.words(value) {
                let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2 { variables[String(parts[0])] = (String(parts[1]), place ?? site.service) }
            }
        }
        for word in unit.values("EnvironmentFile") {
            // systemd reads these files as root.
            let path = word.first == "-" ? String(word.dropFirst()) : word
            guard let text = ActingUser.performAsRoot({ try? OperatorFile(path) })?.text else { continue }
            let file = SettingsFile(path: path, content: text)
            for (name, text) in file.values { variables[name] = (text, file.place(of: name)) }
        }
        return variables
    }

    /// Whether the command of the unit sets `SIGNIN_LISTEN=inherited`, which replaces the value in the settings file.
    package var usesSocketUnitOnly: Bool { unit?.words("ExecStart").contains("SIGNIN_LISTEN=inherited") ?? false }

    /// The directory that systemd makes for the service.
    package var stateDirectory: String { stateDirectories.first ?? site.stateDirectory }

    /// The directories in `StateDirectory=`; with several, the program gets all of them in one variable.
    package var stateDirectories: [String] {
        // systemd ignores absolute paths.
        let names = (unit?.words("StateDirectory") ?? []).filter { !$0.hasPrefix("/") }
        return names.map { "/var/lib/" + $0.prefix { $0 != ":" } }
    }

    /// What gives the service the directory of the package again; nil if no drop-in file names another one.
    package var directoryRemoval: String? {
        guard let unit, let line = unit.line("StateDirectory") else { return nil }
        return "remove the lines StateDirectory= and StateDirectoryMode= (\(line.place), \(unit.edit(line)))"
    }

    /// What gives the service its own user again; nil unless the unit names a user that does not exist, or one with the group of
    /// the socket, a web server.
    var userRemoval: String? {
        guard let unit, let name = unit.value("User") else { return nil }
        let group = socketUnit?.value("SocketGroup").flatMap { Group($0)?.id }
        guard let user = User(name) else { return unit.removal(of: "User") }
        return group.map(user.groups.contains) == true ? unit.removal(of: "User") : nil
    }

    /// What gives the service the group of its user again; nil if the unit names no other one.
    func groupRemoval(for user: User) -> String? {
        guard let unit, let name = unit.value("Group"), Group(name)?.id != user.groups.first else { return nil }
        return unit.removal(of: "Group")
    }

    /// What to do about several directories in `StateDirectory=`, of which the program uses one.
    package static func messageAboutDirectories(_ directories: [String], _ command: String = "systemctl edit") -> String
    {
        "StateDirectory= has \(directories.count) directories (\(directories.joined(separator: ", "))), and the program uses "
            + "only one: write an empty line StateDirectory= before the line in the drop-in file, and a line "
            + "StateDirectoryMode=0700 after it (\(command)), or set \(Setting.stateDirectory.name)"
    }

    /// A problem of the line that sets a directive of the service; the message gets what opens the file of the line in an editor.
    package func problem(_ key: String, _ message: (_ edit: String) -> String) -> ConfigurationError.Problem {
        let line = unit?.line(key)
        let advice = Advice(message(unit?.edit(line) ?? "")).about([key])
        return .init(subject: site.service, advice, place: line?.place)
    }

    /// The permissions that systemd gives the state directory at each start of the service.
    package var stateDirectoryMode: UInt32 {
        unit?.mode("StateDirectoryMode") ?? 0o755
    }

    /// Whether systemd has made the state directory, which it does at the first start.
    package var hasStarted: Bool {
        ActingUser.performAsRoot { (try? FileStatus(path: StateDirectory.resolved(stateDirectory))) != nil }
    }

    /// The directories that systemd makes for the sockets of the running service.
    package var runtimeDirectories: [String] {
        (unit?.words("RuntimeDirectory") ?? []).map { "/run/\($0)" }
    }

    /// The directory of all sockets if the web server may not enter it, as `RuntimeDirectoryMode=` leaves it.
    private var leftDirectory: [ConfigurationError.Problem] {
        let directory = "/run/linkedin-signin"
        guard (socket ?? site.socket).hasPrefix(directory + "/"), isClosed(directory) else { return [] }
        let what = "the web server cannot enter this directory"
        return [.init(subject: directory, Advice(what, reopening(directory), restarts: true))]
    }

    /// What keeps the web server from the sockets: a line in the units of any site, or else the directory that such a line left.
    package var closedDirectories: [ConfigurationError.Problem] {
        let services = [self] + InstalledSite.all.filter { $0 != site }.map(SiteService.init)
        let ofUnits = services.compactMap(closedDirectory) + services.compactMap(removedSocket)
        return ofUnits.isEmpty ? leftDirectory : ofUnits
    }

    /// Whether the web server, which is not in the group of root, may not enter a directory.
    private static func isClosed(_ permissions: UInt32, group: UInt32) -> Bool {
        permissions & (group == 0 ? 0o001 : 0o011) == 0
    }

    private func isClosed(_ directory: String) -> Bool {
        (try? FileStatus(path: directory)).map { Self.isClosed($0.permissions, group: $0.group) } ?? false
    }

    /// The problem of a socket unit that, after a boot, makes the directory of this site's socket and closes it to the web server.
    private func closedDirectory(by service: SiteService) -> ConfigurationError.Problem? {
        let directory = { (path: String) in String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)) }
        let made = Set(service.sockets.map(directory))
        // These directories always exist.
        let closed = sockets.map(directory).first { made.contains($0) && !["/run", "/tmp", "/var/run"].contains($0) }
        // systemd gives the directory to root.
        guard let unit = service.socketUnit, let mode = unit.mode("DirectoryMode"), Self.isClosed(mode, group: 0),
            let closed
        else { return nil }
        let line = unit.line("DirectoryMode")
        let message =
            "DirectoryMode= is \(unit.value("DirectoryMode") ?? ""), so after a boot the web server cannot enter "
            + "\(closed), and no site with a socket in this directory works: remove the line DirectoryMode= "
            + "(\(unit.edit(line)))\(isClosed(closed) ? ", then run: chmod a+x \(closed)" : "")"
        return unit.problem(Advice(message), at: line)
    }

    /// A service removes its `RuntimeDirectory=` when it stops: the socket of this site for web servers cannot be there.
    private func removedSocket(by service: SiteService) -> ConfigurationError.Problem? {
        let own = socket ?? site.socket
        guard let unit = service.unit, unit.value("RuntimeDirectoryPreserve") != "yes",
            let directory = service.runtimeDirectories.first(where: { own.hasPrefix($0 + "/") })
        else { return nil }
        let line = unit.line("RuntimeDirectory")
        let message =
            "systemd removes RuntimeDirectory= (\(directory)) when it stops the service, and the sockets of the web server "
            + "in it: remove the line (\(unit.edit(line))), then \(reopening(directory))"
        return unit.problem(Advice(message, restarts: true), at: line)
    }

    /// The command that brings the sockets of all sites back.
    private func reopening(_ directory: String) -> String {
        let restart = "systemctl restart 'linkedin-signin*.socket' 'linkedin-signin*.service'"
        return "run: \(isClosed(directory) ? "chmod a+x \(ShellWord.quoted(directory)) && " : "")\(restart)"
    }

    /// The credential of a directory, in which each file has the client secret of a provider that a file adds.
    package static let providerSecrets = "provider-secrets"

    /// The file of a credential, also of a file in a directory that is loaded as a whole (systemd.exec(5)); nil if no unit
    /// passes it.
    func fileOfCredential(_ name: String) -> String? {
        if let file = credentials[name] { return file }
        let parts = name.split(separator: "_", maxSplits: 1)
        return parts.count == 2 ? credentials[String(parts[0])].map { "\($0)/\(parts[1])" } : nil
    }

    /// The files of the service's credentials, by the names of the credentials.
    package var credentials: [String: String] {
        let usual = site.name.map { "/etc/linkedin-signin/\($0)" } ?? "/etc/linkedin-signin"
        guard let unit else { return ["linkedin-client-secret": usual + "/client-secret"] }
        var files: [String: String] = [:]
        for value in unit.values("LoadCredential") {
            let parts = value.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[1].hasPrefix("/") { files[String(parts[0])] = String(parts[1]) }
        }
        return files
    }

    /// The user that the service runs as; nil for root, and if this machine has no such unit.
    ///
    /// The user of `DynamicUser=` exists only while the service runs: otherwise, it is the owner of the state directory, whose
    /// number systemd uses again if it is a dynamic one, or a user without any file.
    package var user: ProcessUser? {
        guard let unit else { return nil }
        let isDynamic = unit.isOn("DynamicUser")
        guard let name = unit.userName else { return nil }
        let additional = unit.words("SupplementaryGroups").compactMap { Group($0)?.id }
        let status = try? FileStatus(path: StateDirectory.resolved(stateDirectory))
        // Only root may look into the parent of the state directory.
        let owner = [status.map { User(id: $0.owner) }, User.current].compactMap(\.self).first(where: \.isDynamic)
        let known = User(name) ?? (isDynamic ? owner ?? User("nobody") : nil)
        guard let known, known.id != 0 else { return nil }
        // The group of the unit replaces that of the user, and with it the access of the user to files of that group.
        let named = unit.value("Group").flatMap { name in
            // systemd makes a group that does not exist, to which no file belongs.
            Group(name)?.id ?? (isDynamic && User(name) == nil ? User("nobody")?.groups.first : nil)
        }
        let groups = named.map(known.groups(own:)) ?? known.groups
        return ProcessUser(known, groups: (groups.isEmpty ? [known.id] : groups) + additional)
    }

    /// Why systemd starts the program as root, and what changes that; nil if the unit has another user.
    package var messageAboutRoot: (what: String, change: String)? {
        guard let unit else { return nil }
        // With the name of a user that exists, systemd ignores `DynamicUser=`.
        if let name = unit.value("User") {
            guard User(name)?.id == 0 else { return nil }
            let change = "\(unit.removal(of: "User")); then restart the service"
            return ("User=\(name) makes the program run as root", change)
        }
        guard !unit.isOn("DynamicUser") else { return nil }
        let lines = "\(unit.writing(["DynamicUser=yes"])); then restart the service"
        return ("the unit has neither User= nor DynamicUser=yes, so the program runs as root", lines)
    }

    /// What lets every user of this machine connect to the socket, and what changes that; nil if the unit does not.
    package var messageAboutOpenSocket: (what: String, change: String)? {
        guard let socketUnit, let text = socketUnit.value("SocketMode"), socket != nil, socketMode & 0o002 != 0 else {
            return nil
        }
        let change = "\(socketUnit.writing(["SocketMode=0660"])); then run: systemctl restart \(site.socketUnit)"
        return ("SocketMode=\(text) lets every user of this machine connect", change)
    }

    /// The message about a unit in which the program does not recognize the users that may connect; nil if it does.
    package func messageAboutPrivateUsers(_ allowed: [String]) -> String? {
        guard let unit, unit.isOn("PrivateUsers") || unit.value("PrivateUsers") == "self", !allowed.isEmpty else {
            return nil
        }
        return
            "PrivateUsers= makes all other users appear as nobody to the program, so the program closes each connection of the "
            + "web server, although \(Setting.allowedUsers.name) has its user: remove the line PrivateUsers= "
            + "(\(unit.edit(unit.line("PrivateUsers"))))"
    }

    /// Whether a path is a directory, or below it.
    static func contains(_ directory: String, _ path: String) -> Bool {
        directory == "/" || path == directory || path.hasPrefix(directory + "/")
    }

    /// The message about a file that the unit hides from the service, with the line of the unit; nil if the service sees the file.
    ///
    /// The service can neither follow a hidden link nor reach a hidden target of a link.
    package func messageAboutHidden(_ path: String) -> Advice? {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let unit, let line = unit.lineHiding(path) ?? unit.lineHiding(target) else { return nil }
        let key = SystemdUnit.hiding.first { line.hasPrefix("\($0)=") }
        let remedy =
            key.map { key in
                let edit = unit.edit(unit.line(key, with: String(line.dropFirst(key.count + 1))))
                return "remove this path from \(key)= (\(edit)), or move the file to a path that \(key)= does not name"
            } ?? "move it, for example to /etc"
        return Advice("“\(path)” is hidden from \(site.service) (\(line))", remedy).about([key].compactMap(\.self))
    }

    /// The path of the socket that systemd opens for the service; nil if this machine has no such unit.
    package var socket: String? { sockets.first }

    /// The paths of all sockets that systemd opens for the service.
    package var sockets: [String] {
        guard let addresses = socketUnit?.values("ListenStream") else { return [] }
        return addresses.isEmpty ? [site.socket] : addresses.filter { $0.hasPrefix("/") }
    }

    /// The problem of a socket unit that opens ports only, to which the printed configuration of the web server does not lead; nil
    /// if the settings name one of the ports.
    package func problemOfPorts(_ listen: ListenAddress?) -> ConfigurationError.Problem? {
        guard let socketUnit, sockets.isEmpty, let port = socketUnit.value("ListenStream") else { return nil }
        if case .loopback(let host, let number) = listen, port == "\(host):\(number)" { return nil }
        let line = socketUnit.line("ListenStream")
        let message =
            "ListenStream=\(port): \(site.socketUnit) does not open \(site.socket), to which the include files of the web server "
            + "lead: remove the line (\(socketUnit.edit(line)))"
        return socketUnit.problem(Advice(message), at: line)
    }

    /// The permissions of the socket that systemd opens for web servers.
    package var socketMode: UInt32 { socketUnit?.mode("SocketMode") ?? 0o666 }

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
        return
            "the web server runs as user \(name), who may not connect to \(socket) (SocketGroup= and SocketMode= of "
            + "\(site.socketUnit)); \(socketLines(for: group ?? name)); then run: systemctl restart \(site.socketUnit)"
    }

    /// What gives the socket to a group, that of the web server.
    package func socketLines(for group: String) -> String {
        socketUnit?.writing(["SocketGroup=\(group)", "SocketMode=0660"]) ?? ""
    }

    /// Whether the service may write in a directory.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - own: The directories that systemd makes for the service.
    /// - Returns: False only if the unit says so.
    package func mayWrite(_ path: String, orBelow own: [String]) -> Bool {
        guard let unit else { return true }
        let around = { (paths: [String]) in paths.filter { Self.contains($0, path) }.map(\.count).max() }
        let writable = around(own + unit.words("ReadWritePaths").map { String($0.drop { "-+".contains($0) }) })
        // The longest path decides, and of equal ones ReadOnlyPaths= (systemd.exec(5)).
        let readOnly = around(unit.words("ReadOnlyPaths").map(Self.mounted)) ?? 0
        return readOnly == 0 ? writable != nil || unit.value("ProtectSystem") != "strict" : writable ?? 0 > readOnly
    }

    /// The line that makes a state directory of the unit read-only; nil if none does.
    package func lineClosing(_ path: String) -> String? {
        let place = StateDirectory.resolved(path)
        guard stateDirectories.contains(path), !mayKeepState(in: path) else { return nil }
        let word = unit?.words("ReadOnlyPaths").first { Self.contains(Self.mounted($0), place) }
        return word.map { "ReadOnlyPaths=\($0)" }
    }

    /// The path in a word of `ReadOnlyPaths=` and the like, in which systemd follows links.
    ///
    /// Signs in front let systemd ignore a missing path, or a path of another root directory; options follow a colon.
    static func mounted(_ word: String) -> String {
        StateDirectory.resolved(String(word.drop { "-+".contains($0) }.prefix { $0 != ":" }))
    }
}
