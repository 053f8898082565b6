import Encoding
import POSIX

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
        let (name, quoted) = (User(id: user).name, ShellWord.quoted(path))
        let isOthers = status.owner != 0 && status.owner != user && status.owner != User.current.id
        if status.permissions & 0o022 != 0 || isOthers {
            let command = isOthers ? "chown root \(quoted)" : "chmod go-w \(quoted)"
            report.add(.fileWritable, path, status.described, remedies: ["run: \(command)"])
        }
        if !status.allows(0o4, user, groups) {
            let what = "user \(name) may not read it (\(status.described))"
            report.add(
                .fileUnreadable,
                path,
                what,
                remedies: ["run: chgrp \(quotedGroup(groups)) \(quoted) && chmod 640 \(quoted)"]
            )
        } else if let directory = directories(above: path).first(where: { !isOpen($0, user, groups) }) {
            let what = "user \(name) may not enter \(directory)"
            report.add(.fileUnreadable, path, what, remedies: ["run: chmod a+x \(ShellWord.quoted(directory))"])
        }
        if report.findings.isEmpty { report.pass(path, "user \(name) can read it, and no other user can change it") }
        return report
    }

    private static func quotedGroup(_ groups: [UInt32]) -> String {
        groups.first.map(String.init) ?? "root"
    }

    private static func isOpen(_ directory: String, _ user: UInt32, _ groups: [UInt32]) -> Bool {
        (try? FileStatus(path: directory))?.allows(0o1, user, groups) ?? true
    }

    private static func directories(above path: String) -> [String] {
        path.split(separator: "/").dropLast().reduce(into: []) { $0.append(($0.last ?? "") + "/\($1)") }
    }
}
