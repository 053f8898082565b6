package import POSIX
package import Settings

import class FoundationEssentials.FileManager

/// Looks at the running process in /proc (proc(5)).
package struct ProcessCheck: Sendable {
    /// Its name in /proc, at most 15 bytes.
    private static let name = "linkedin-signin"

    private let process: Int32
    private let units: UnitCommands

    /// Finds the process of the program; nil if it cannot be found.
    ///
    /// - Parameters:
    ///   - process: The process at the other end of the socket, which may be the one that opened the socket for the
    ///     program, such as systemd; nil if it is not known.
    ///   - site: The site of the program; nil if its units are not known.
    package init?(behind process: Int32?, of site: InstalledSite?) {
        units = UnitCommands(site: site)
        if let process, Self.isProgram(process) {
            self.process = process
            return
        }
        let programs = Self.programs
        let ofSite = programs.filter { process in site.map { Self.serves($0, process) } ?? false }
        let found = ofSite.isEmpty ? programs : ofSite
        guard let only = found.first, found.count == 1 else { return nil }
        self.process = only
    }

    /// Finds the process that serves a site; nil if none does.
    package init?(serving site: InstalledSite) {
        guard let process = Self.programs.first(where: { Self.serves(site, $0) }) else { return nil }
        (self.process, units) = (process, UnitCommands(site: site))
    }

    /// The processes of the program, without this one.
    private static var programs: [Int32] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { Int32($0) }.filter { $0 != own && isProgram($0) }
    }

    /// A consequence of settings with which the program does not start: none of its processes serves the site.
    package static func stopped(_ site: InstalledSite) -> Report {
        guard ProcessCheck(serving: site) == nil else { return Report() }
        let units = UnitCommands(site: site)
        return Report(
            .programSilent,
            site.service,
            "does not run",
            remedies: [units.restart],
            restarting: units,
            explainedBy: .noStart
        )
    }

    /// Whether the command of a process names the settings file of a site, as its unit does.
    private static func serves(_ site: InstalledSite, _ process: Int32) -> Bool {
        let (file, words) = (site.settingsFile, read("/proc/\(process)/cmdline")?.split(separator: "\0") ?? [])
        guard words.contains(where: { $0 == file }) else { return false }
        // In a container, another file can have the same name.
        guard let theirs = try? FileStatus(path: "/proc/\(process)/root\(file)") else { return true }
        return (try? FileStatus(path: file))?.identity == theirs.identity
    }

    package func run() -> Report {
        var report = executable()
        report += descriptors()
        return report
    }

    /// The user and all groups of the process; nil if they cannot be read.
    package var identity: ProcessUser? {
        guard let text = Self.read("/proc/\(process)/status") else { return nil }
        func numbers(_ name: String) -> [UInt32] {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
            return line.dropFirst(name.utf8.count).split { $0 == " " || $0 == "\t" }.compactMap { UInt32($0) }
        }
        // Real, effective, saved and file system ids.
        guard let user = numbers("Uid:").dropFirst().first, let group = numbers("Gid:").dropFirst().first else {
            return nil
        }
        return ProcessUser(User(id: user), groups: [group] + numbers("Groups:"))
    }

    private func executable() -> Report {
        let subject = "process \(process)"
        guard let running = try? FileStatus(path: "/proc/\(process)/exe"),
            let own = try? FileStatus(path: "/proc/self/exe")
        else {
            return Report(.notChecked, subject, "only root and its own user may look at its file; run with sudo")
        }
        guard running.identity == own.identity else {
            let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
            return Report(
                .programReplaced,
                subject,
                "runs \(link ?? "another file")",
                remedies: [units.restart],
                restarting: units,
                // The new file may have other settings, and the restart loads changed ones.
                causing: [.otherProgram]
            )
        }
        return Report(passed: subject, "runs the same file as this command")
    }

    private func descriptors() -> Report {
        let subject = "process \(process)"
        guard let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count,
            let limit = limit
        else { return Report() }
        let text = "\(open) of \(limit) file descriptors are open"
        guard limit - open < SiteService.descriptorReserve else {
            return Report(passed: subject, text)
        }
        return Report(.descriptorsFew, subject, text, remedies: ["LimitNOFILE=8192 in the service unit, then restart"])
    }

    /// The soft limit of open files.
    private var limit: Int? {
        guard let text = Self.read("/proc/\(process)/limits") else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        return line?.split(separator: " ").dropFirst(3).first.flatMap { Int($0) }
    }

    private static func isProgram(_ process: Int32) -> Bool {
        read("/proc/\(process)/comm") == "\(name)\n"
    }

    private static var own: Int32? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self")).flatMap { Int32($0) }
    }

    private static func read(_ path: String) -> String? {
        guard let file = try? ReadableFile(path), let bytes = try? file.contents(limit: 65_536) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
