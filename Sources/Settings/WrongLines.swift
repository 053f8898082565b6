import Encoding
import POSIX

/// The lines of drop-in files with which systemd does not start a unit of a site, or starts something else.
struct WrongLines {
    let site: InstalledSite
    let unit: SystemdUnit

    var problems: [ConfigurationError.Problem] {
        unit.additions.compactMap { line in
            objection(to: line).map { what in
                let text = "\(line.key)=\(line.value): \(what): remove the line: \(unit.edit(line))"
                // These two decide together.
                let others = line.key == "NoExecPaths" ? ["ExecPaths"] : []
                return unit.problem(Advice(text).about(others), at: line)
            }
        }
    }

    /// What is wrong with a line; nil for another line.
    private func objection(to line: SystemdUnit.Addition) -> String? {
        let (isLast, isSocket) = (unit.value(line.key) == line.value, unit.name == site.socketUnit)
        return switch line.key {
        case "Requires", "BindsTo", "Requisite": missingUnit(in: line.value)
        case "ExecCondition", "ExecStartPre", "ExecStartPost":
            objection(toCommand: SystemdUnit.words(line.value))?.what
        case "Type" where isLast && !isSocket: Self.objection(toType: line.value)
        case "Accept" where isLast && isSocket && unit.isOn(line.key):
            "systemd starts another service for each connection, in place of \(site.service)"
        case "Sockets" where !isSocket && line.value != site.socketUnit:
            "systemd passes the connections at this socket to \(site.service) too"
        case "LoadCredential" where !isSocket:
            siteOfCredential(line.value).map { other in
                "this is a file of \(other.service), so \(site.service) gets the secret of another site"
            }
        case "Service" where isLast && isSocket && line.value != site.service:
            "systemd passes the connections of the web server to this unit, and not to \(site.service)"
        case "NoExecPaths": programBelow(line.value).map { "systemd does not execute \($0)" }
        default: nil
        }
    }

    /// The other site in whose folder of settings a credential is; nil if it is in none.
    private func siteOfCredential(_ value: String) -> InstalledSite? {
        let folder = { (path: Substring) in path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex) }
        let own = folder(value.drop { $0 != ":" }.dropFirst())
        guard own != folder(site.settingsFile[...]) else { return nil }
        return InstalledSite.all.first { folder($0.settingsFile[...]) == own }
    }

    /// The objection to a unit that must exist; nil for a kind of unit that needs no file.
    private func missingUnit(in value: String) -> String? {
        let kinds = [".path", ".service", ".socket", ".target", ".timer"]
        let wanted = SystemdUnit.words(value).filter { word in
            kinds.contains(where: word.hasSuffix) && !word.contains("%") && word != site.socketUnit
        }
        for word in wanted {
            guard let found = SystemdUnit(named: word) else {
                return "this machine has no unit \(word), so systemd does not start \(unit.name)"
            }
            if found.isMasked { return "\(word) is masked, so systemd does not start \(unit.name)" }
        }
        return nil
    }

    /// The objection to a command, and what corrects it; nil if systemd can execute the program, and if it ignores a failure.
    func objection(toCommand words: [String], as user: ProcessUser? = nil) -> Advice? {
        guard let path = StartCommand.words(behindEnv: words).words.first, !StartCommand.signs(words).contains("-"),
            path.hasPrefix("/"), !path.contains(where: { "%$".contains($0) })
        else { return nil }
        let status = ActingUser.performAsRoot { try? FileStatus(path: path) }
        guard let status else { return "\(path) does not exist, so systemd does not start \(unit.name)" }
        guard status.kind == .regular, status.permissions & 0o111 != 0 else {
            return "\(path) is not a program, so systemd does not start \(unit.name)"
        }
        // systemd has changed to the user before it executes the program. Root owns it.
        guard status.permissions & 0o001 == 0, let user, !user.groups.contains(status.group) else { return nil }
        return Advice("\(user.user.described) may not execute \(path)", "run: chmod 755 \(path)")
    }

    /// systemd waits for something that the program does not do, or refuses the unit.
    private static func objection(toType type: String) -> String? {
        switch type {
        case "dbus": "systemd waits for a name on D-Bus, which the program does not take, so each start fails"
        case "forking":
            "systemd waits for a process in the background, which the program does not start, so each start fails"
        case "oneshot": "systemd waits for the end of the program, and refuses this type with Restart=always"
        default: nil
        }
    }

    /// The program of the service, if it is below these paths of `NoExecPaths=`; the longest path decides (systemd.exec(5)).
    private func programBelow(_ paths: String) -> String? {
        guard case .serve(let program, _, _) = StartCommand(unit.words("ExecStart")) else { return nil }
        let longest = { (words: [String]) in
            words.filter { SiteService.contains(SiteService.mounted($0), program) }.map(\.count).max() ?? 0
        }
        return longest(unit.words("ExecPaths")) < longest(SystemdUnit.words(paths)) ? program : nil
    }
}
