import Diagnosis
import Encoding
import POSIX
import Sessions
import Settings

import class FoundationEssentials.FileManager
import struct FoundationEssentials.URL

/// What `check` and `doctor` find in the state directory.
enum StoreCheck {
    /// The state directory; nothing for an invalid path, which the settings report.
    ///
    /// - Parameters:
    ///   - sources: The values of the settings.
    ///   - service: The service of the site; nil without a unit.
    ///   - atStart: Whether the owner matters only after systemd has started the service again, as for `check`.
    /// - Returns: The findings.
    static func directory(_ sources: SettingSources, of service: SiteService?, atStart: Bool) -> Report {
        guard let path = sources.value(Setting.stateDirectory)?.text ?? Setting.stateDirectory.defaultText,
            path.hasPrefix("/"), service?.messageAboutLostLink(to: path) == nil
        else { return Report() }
        let (subject, directory) = ("\(Setting.stateDirectory.name) “\(path)”", StateDirectory.resolved(path))
        if !ActingUser.isRoot, let other = service?.user?.user, other != .current {
            let what = "only root and \(other.described) can look into it"
            return Report(.notChecked, subject, what, remedies: ["run this command with sudo"])
        }
        // If the unit keeps the service from using the directory, `ServiceCheck` reports this.
        let isForService = service?.mayKeepState(in: path) != false
        if isForService, let closed = service?.directoryClosing(path), let user = service?.user?.user {
            let what = "\(user.described) cannot enter \(closed), a directory above the state directory"
            let remedy =
                ShellWord.opening(closed) ?? "set \(Setting.stateDirectory.name) to a directory outside \(closed)"
            return unusable(subject, Advice(what, remedy))
        }
        var report = isForService ? foreign(path, to: sources) : Report()
        report += abandoned(path, sources, of: service)
        let (repair, owner) = (repairAtStart(path, service), foreignOwner(of: path, for: service?.user))
        let isClosed = isClosed(directory, to: service)
        if let owner, repair == nil || !atStart || isClosed {
            // The owner explains what the survey would find.
            // systemd corrects the owner for the user of the unit, and the program may run as another user until then.
            let seen = isClosed ? owner.what : "belongs to another user"
            let restart = repair?.what.flatMap { what in
                service.map { Advice("\(seen); \(what)", "run: systemctl restart \($0.site.service)", restarts: true) }
            }
            report += unusable(subject, restart ?? owner)
        } else {
            if let what = repair?.what {
                let restart = service.map { "now, if the service runs: systemctl restart \($0.site.service)" }
                let remedies = [owner == nil ? "now: chmod 700 \(ShellWord.quoted(directory))" : restart].compactMap(
                    \.self
                )
                let isWritable = ((try? FileStatus(path: directory))?.permissions ?? 0) & 0o022 != 0
                let seen = owner.map { "it \($0.what)" } ?? "other users can \(isWritable ? "change" : "read") it"
                report += Report(.storeNote, subject, "\(seen); \(what)", remedies: remedies)
            }
            let survey = StoreSurvey(directory: directory, before: repair?.kind)
            let isDatabaseUsed = sources.value(Setting.store) != nil
            for problem in survey.problems {
                report += unusable(subject, problem, causing: isDatabaseUsed ? [] : causes)
            }
            // A disk that is almost full matters only for a store that can be used.
            let room = survey.problems.isEmpty ? room(in: directory) : room(in: directory).faults
            report += room
            report += Report(.storeNote, about: subject, notes: notes(survey, path, of: service))
            // The disk explains what it has no room for.
            if atStart, room.findings.isEmpty { report += Report(.storeNote, notes: spentStates(survey, sources)) }
            let exists = FileManager.default.fileExists(atPath: directory)
            if survey.problems.isEmpty, exists { report += Report(passed: path, "usable") }
        }
        return report
    }

    /// The space on the file system of a directory that may not exist yet.
    private static func room(in directory: String) -> Report {
        var place = URL(fileURLWithPath: directory)
        while place.path != "/", !FileManager.default.fileExists(atPath: place.path) {
            place = place.deletingLastPathComponent()
        }
        return MachineCheck.room(in: place.path, causing: causes)
    }

    /// The database, if there is one, as the user of the service.
    static func database(_ sources: SettingSources, as user: ProcessUser?) -> Report {
        guard let (database, _, baseURL) = try? Configuration.places(sources), let database else { return Report() }
        return ActingUser.perform(as: user) { DatabaseCheck.run(database, of: baseURL, sources.site) }
    }

    /// A store that cannot be used keeps the program from its start, or from its work.
    private static let causes: Set<Cause> = .noStart.union([.setting(Setting.store.name)])

    /// A fault if the state directory belongs to another user than the program's; others than root see it in the survey.
    static func owner(of path: String, is user: ProcessUser?) -> Report {
        foreignOwner(of: path, for: user).map { unusable(StateDirectory.resolved(path), $0) } ?? Report()
    }

    private static func unusable(_ subject: String, _ advice: Advice, causing causes: Set<Cause> = causes) -> Report {
        Report(problems: [.init(subject: subject, advice)], .storeUnusable, causing: causes)
    }

    /// What is wrong, and what to do, if the directory belongs to another user than the program's.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - user: The user of the program; nil if it is not known.
    /// - Returns: Nil if nothing is wrong, and for a command of another user than root.
    static func foreignOwner(of path: String, for user: ProcessUser?) -> Advice? {
        let directory = StateDirectory.resolved(path)
        guard User.current.id == 0, let user = user?.user, let status = try? FileStatus(path: directory),
            status.kind == .directory, status.owner != user.id
        else { return nil }
        return Advice(
            "belongs to \(User(id: status.owner).described), and the program runs as \(user.described)",
            "run: chown -R \(user.name): \(ShellWord.quoted(directory))"
        )
    }

    /// Whether the program that runs cannot use a state directory, which then belongs to another user.
    private static func isClosed(_ directory: String, to service: SiteService?) -> Bool {
        guard let service, let user = ProcessCheck(serving: service.site)?.identity?.user else { return false }
        return (try? FileStatus(path: directory)).map { $0.owner != user.id } ?? false
    }

    /// What systemd does at the next start of the service about a state directory, its owner and its mode.
    ///
    /// systemd changes the owner of the files only if that of the directory is wrong (systemd.exec(5)).
    ///
    /// - Returns: Nil if there is nothing to do, and for a directory that is not of the unit; without text for a directory that
    ///   does not exist yet.
    private static func repairAtStart(
        _ path: String,
        _ service: SiteService?
    ) -> (kind: StoreSurvey.Repair, what: String?)? {
        guard ActingUser.isRoot, let service, service.stateDirectories.contains(path) else { return nil }
        guard let status = try? FileStatus(path: StateDirectory.resolved(path)) else { return (.creation, nil) }
        guard let user = service.user, status.kind == .directory else { return nil }
        let isForeign = status.owner != user.user.id || status.group != user.groups.first
        guard isForeign || status.permissions & 0o077 != 0 else { return nil }
        let what =
            "systemd gives it to \(user.user.described) with mode \(String(service.stateDirectoryMode, radix: 8)) at the next "
            + "start of \(service.site.service)"
        return (isForeign ? .owner(user.user.id) : .mode, what)
    }

    /// What depends on who makes the directory and on its owner; nothing if systemd sees to both, or if the service cannot
    /// use the directory, which `ServiceCheck` reports.
    private static func notes(_ survey: StoreSurvey, _ path: String, of service: SiteService?) -> [String] {
        guard let service else { return survey.notes }
        return service.stateDirectories.contains(path) || !service.mayKeepState(in: path) ? [] : survey.notes
    }

    /// A problem if the directory belongs to another site; none if this cannot be read, which the survey reports.
    private static func foreign(_ path: String, to sources: SettingSources) -> Report {
        // Two sites with one address are the cause of both findings.
        let isShared = sources.sharedValues.contains { $0.subject == Setting.baseURL.name }
        guard let baseURL = sources.baseURL, !isShared else { return Report() }
        let ownership = StoreOwnership(path, directory: StateDirectory.resolved(path), database: nil)
        let causes: Set<Cause> = .noStart.union([.otherSite, .otherProgram])
        do throws(StoreError) {
            let messages = try ownership.differences(from: baseURL).map { $0.problem(baseURL, of: sources.site) }
            let problems = messages.map { ConfigurationError.Problem(subject: Setting.baseURL.name, message: $0) }
            return Report(problems: problems, .storeUnusable, causing: causes)
        } catch {
            guard error.code == .damaged else { return Report() }
            return unusable(Setting.stateDirectory.name, error.advice, causing: causes)
        }
    }

    /// A problem if this site has no store yet, and a directory that no site uses has the store of its address; a note if the
    /// site has started with a new store since.
    ///
    /// This is how a renamed folder of settings and a changed `StateDirectory=` look: without the store, every member would be
    /// signed out.
    private static func abandoned(_ path: String, _ sources: SettingSources, of service: SiteService?) -> Report {
        guard let site = sources.site, let baseURL = sources.baseURL,
            [nil, baseURL].contains(StateDirectory.owner(of: path))
        else { return Report() }
        let usual = site.stateDirectory
        let units = "\(site.socketUnit) \(site.service)"
        let leftBehind = { (other: String) in
            let (own, earlier) = (StateDirectory.resolved(path), StateDirectory.resolved(other))
            let kept = ShellWord.quoted(own + (earlier == own + ".new" ? ".old" : ".new"))
            let note =
                "\(other) has earlier sessions of \(baseURL), and no site uses this directory. If the site was renamed, members "
                + "who signed in before are signed out; to use the earlier sessions, run: systemctl stop \(units); mv -T "
                + "\(ShellWord.quoted(own)) \(kept); \(move(other, to: path)); systemctl start \(units). If nobody "
                + "needs them, remove \(earlier)"
            return Report(.storeNote, about: path, notes: [note])
        }
        if path == service?.stateDirectory, hasStoreElsewhere(path, sources) {
            guard StateDirectory.owner(of: path) == nil else { return leftBehind(usual) }
            let message =
                "the sessions of \(baseURL) are in \(usual), and the service would use \(path): "
                + "\(service?.directoryRemoval ?? "remove the line that names it"), or run: systemctl stop \(units); "
                + "\(move(usual, to: path)); systemctl start \(units)"
            return unusable(Setting.stateDirectory.name, Advice(message))
        }
        let isFormer: (InstalledSite) -> Bool = {
            !$0.exists && StateDirectory.owner(of: $0.stateDirectory) == baseURL
        }
        guard let former = InstalledSite.withStores.first(where: isFormer) else { return Report() }
        guard StateDirectory.owner(of: path) == nil else { return leftBehind(former.stateDirectory) }
        let message =
            "the sessions of \(baseURL) are in \(former.stateDirectory), and \(former.settingsFile) does not exist: move "
            + "\(site.settingsFile) back, or rename the site: systemctl disable --now \(former.socketUnit) "
            + "\(former.service); \(Self.move(former.stateDirectory, to: path))"
        return unusable(Setting.stateDirectory.name, Advice(message))
    }

    /// Whether the usual directory of the site has its store, and a state directory is another one.
    static func hasStoreElsewhere(_ path: String, _ sources: SettingSources) -> Bool {
        guard let usual = sources.site?.stateDirectory, let baseURL = sources.baseURL else { return false }
        return path != usual && StateDirectory.owner(of: usual) == baseURL
    }

    /// The commands that rename a state directory, which systemd keeps in `/var/lib/private` behind a link.
    private static func move(_ old: String, to new: String) -> String {
        let resolved = StateDirectory.resolved(old)
        let place = resolved == StateDirectory.behindLink(old) ? StateDirectory.behindLink(new) : nil
        let words = [resolved, place ?? StateDirectory.resolved(new)].map(ShellWord.quoted).joined(separator: " ")
        return "mv -T \(words)" + (place == nil ? "" : "; rm -f \(ShellWord.quoted(old))")
    }

    /// The number of used states in the store, if any; and a note if the disk has room for fewer than the setting.
    private static func spentStates(_ survey: StoreSurvey, _ sources: SettingSources) -> [String] {
        let setting = Setting.spentStates
        guard let maximum = Int(sources.value(setting)?.text ?? setting.defaultText ?? "") else { return [] }
        let room = survey.freeFiles.map { SpentLedger.limit(maximum, count: survey.spentStates, free: $0) } ?? maximum
        var notes: [String] = []
        if survey.spentStates > 0 {
            notes.append("\(setting.name): the store has \(survey.spentStates) used states, of at most \(room)")
        }
        if room < maximum {
            notes.append(
                "\(setting.name)=\(maximum): the disk has room for \(survey.freeFiles ?? 0) more files, so at most "
                    + "\(room) sign-ins can begin in ten minutes"
            )
        }
        return notes
    }
}
