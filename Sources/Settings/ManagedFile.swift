import POSIX

import class FoundationEssentials.FileManager

/// A settings file to which the package gives its owner and mode again at each start of the machine (tmpfiles.d(5)).
package enum ManagedFile {
    private static let (folder, entry) = ("/etc/linkedin-signin/", "linkedin-signin.conf")
    private static let group = "linkedin-signin"

    /// What lets a process read such a file, because `chgrp` and `chmod` would be undone; nil for another file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isMember: Whether the process has a group.
    /// - Returns: The command, and the lines to write.
    package static func remedy(_ path: String, _ isMember: (_ group: UInt32) -> Bool) -> String? {
        guard path.hasPrefix(folder), FileManager.default.fileExists(atPath: "/usr/lib/tmpfiles.d/\(entry)"),
            let group = Group(Self.group)
        else { return nil }
        var parts = path.dropFirst(folder.count).split(separator: "/")
        let last = parts.popLast()
        if parts.last == "providers" { parts.removeLast() } else if last != "settings" { return nil }
        guard let site = InstalledSite(settingsFile: folder + (parts + ["settings"]).joined(separator: "/")) else {
            return nil
        }
        guard !isMember(group.id) else { return "run: systemd-tmpfiles --create \(entry)" }
        return
            "run: systemctl edit \(site.service), and write these lines: [Service], SupplementaryGroups=\(Self.group)"
    }
}
