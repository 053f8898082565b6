import Encoding
import POSIX
import Settings

import struct FoundationEssentials.URL

/// Looks at files that an operator wrote and that the program reads while it runs.
package enum FileCheck {
    /// Checks who can read and who can change a file.
    ///
    /// - Parameters:
    ///   - path: The file: the settings, or a list of a rule.
    ///   - user: The user that the program runs as.
    ///   - groups: All groups of the process.
    /// - Returns: The findings; none for a file that does not exist, which other checks report.
    package static func run(_ path: String, user: UInt32, groups: [UInt32]) -> Report {
        var report = Report()
        // The status of the open file, not of what has the name afterwards.
        guard let status = try? ReadableFile(path).status else { return report }
        let (name, quoted) = (User(id: user).described, ShellWord.quoted(path))
        if status.permissions & 0o022 != 0 || isOthers(status, user) {
            // The fault of the list names the same command.
            let isExplained = !isOthers(status, user) && status.permissions & 0o002 != 0
            report += Report(
                .fileWritable,
                path,
                "other users can change it (\(status.described))",
                remedies: [remedy(quoted, status, user)],
                explainedBy: isExplained ? [.exposed(path)] : []
            )
        }
        // With a link, the directories of the link and those of the file.
        let places =
            directories(above: path) + directories(above: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
        for directory in ["/"] + places {
            guard let status = try? FileStatus(path: directory), isExposed(status, user) else { continue }
            let what = "other users can replace it, because of the directory \(directory) (\(status.described))"
            let command = remedy(ShellWord.quoted(directory), status, user)
            report += Report(.fileWritable, path, what, remedies: [command])
            break
        }
        let group = groups.first.flatMap { Group(String($0)) }?.name ?? "root"
        if !status.allows(0o4, user, groups) {
            let what = "\(name) may not read it (\(status.described))"
            let managed = ManagedFile.remedy(path, for: User(id: user), groups.contains)
            let remedy = managed ?? "run: chgrp \(ShellWord.quoted(group)) \(quoted) && chmod g+r \(quoted)"
            report += Report(.fileUnreadable, path, what, remedies: [remedy], causing: [.unreadable(path)])
        } else if let directory = places.first(where: { !isOpen($0, user, groups) }) {
            let what = "\(name) may not enter \(directory)"
            let opening = ShellWord.opening(directory) ?? "move the file out of \(directory)"
            let remedy =
                path.hasPrefix(directory + "/")
                ? opening : OperatorFile.copy(inPlaceOf: path, in: directory, for: group)
            report += Report(.fileUnreadable, path, what, remedies: [remedy], causing: [.unreadable(path)])
        }
        if report.findings.isEmpty {
            report += Report(passed: path, "\(name) can read it, and no other user can change it")
        }
        return report
    }

    private static func isOthers(_ status: FileStatus, _ user: UInt32) -> Bool {
        status.owner != 0 && status.owner != user && status.owner != User.current.id
    }

    /// Whether other users can rename and remove what is in a directory; with the sticky bit, only what is theirs.
    private static func isExposed(_ directory: FileStatus, _ user: UInt32) -> Bool {
        isOthers(directory, user) || (directory.permissions & 0o022 != 0 && directory.permissions & 0o1000 == 0)
    }

    private static func remedy(_ quoted: String, _ status: FileStatus, _ user: UInt32) -> String {
        "run: " + (isOthers(status, user) ? "chown root \(quoted)" : "chmod go-w \(quoted)")
    }

    private static func isOpen(_ directory: String, _ user: UInt32, _ groups: [UInt32]) -> Bool {
        (try? FileStatus(path: directory))?.allows(0o1, user, groups) ?? true
    }

    private static func directories(above path: String) -> [String] {
        path.split(separator: "/").dropLast().reduce(into: []) { $0.append(($0.last ?? "") + "/\($1)") }
    }
}
