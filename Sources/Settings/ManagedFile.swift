package import POSIX

import class FoundationEssentials.FileManager

/// A file of settings or secrets to which the package gives its owner and mode again at each start of the machine
/// (tmpfiles.d(5)).
package enum ManagedFile {
    private static let (folder, entry) = ("/etc/linkedin-signin/", "linkedin-signin.conf")
    private static let account = "linkedin-signin"

    /// What lets a process read a settings file, because `chgrp` and `chmod` would be undone; nil for another file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - user: The user of the process.
    ///   - isMember: Whether the process has a group.
    /// - Returns: The command, and the lines to write.
    package static func remedy(_ path: String, for user: User, _ isMember: (_ group: UInt32) -> Bool) -> String? {
        guard let (site, kind) = find(path), kind == "settings" || kind == "providers" else { return nil }
        guard isInstalled else {
            // The group of the unit, often that of the web server, must not get the file.
            let service = SiteService(site)
            guard service.user?.user == user else { return nil }
            return service.userRemoval ?? service.groupRemoval(for: user)
        }
        // While the service runs, systemd can show a dynamic user and group in place of those that the package made.
        guard let group = Group(account), let owner = User(account), !owner.isDynamic else {
            return "run: \(creation) && systemd-tmpfiles --create \(entry)"
        }
        guard !isMember(group.id) else { return "run: systemd-tmpfiles --create \(entry)" }
        guard SiteService(site).user?.user == user else {
            return
                "run this command as root, or, if \(user.name) is the user of serve, run: usermod -a -G \(account) "
                + "\(user.name), and restart serve"
        }
        // With the group, the web server could read the settings, and it can read the credentials of its own user.
        if let removal = SiteService(site).userRemoval { return removal }
        return
            "run: systemctl edit \(site.service), and write these lines: [Service], SupplementaryGroups=\(account)"
    }

    /// Who cannot read a file, for messages: the user that this machine lacks, if systemd gives the service a number in its place.
    static func reader(of path: String, _ user: User) -> String {
        let service = find(path).map { SiteService($0.0) }
        guard let service, service.user?.user == user, let name = service.unit?.userName, User(name) == nil else {
            return "\(user.described)"
        }
        return "\(service.site.service), whose user \(name) does not exist"
    }

    /// What lets the service use a secret that only root reads, because `chown` would be undone; nil for another file.
    static func remedy(ofSecret path: String) -> String? {
        guard isInstalled, let (site, kind) = find(path), ["client-secret", "provider-secrets"].contains(kind) else {
            return nil
        }
        return
            "only root reads this file, and systemd passes its text to \(site.service) as a credential: remove the setting "
            + "that names the file"
    }

    /// Whether this machine has the entry of the package.
    private static var isInstalled: Bool { FileManager.default.fileExists(atPath: "/usr/lib/tmpfiles.d/\(entry)") }

    /// The site of a file below the folder of settings, and the first name below the folder of the site.
    private static func find(_ path: String) -> (InstalledSite, kind: String)? {
        guard path.hasPrefix(folder) else { return nil }
        var parts = path.dropFirst(folder.count).split(separator: "/")
        var last = parts.popLast()
        if ["providers", "provider-secrets"].contains(parts.last) { last = parts.popLast() }
        let site = InstalledSite(settingsFile: folder + (parts + ["settings"]).joined(separator: "/"))
        return site.flatMap { site in last.map { (site, String($0)) } }
    }

    /// The command that makes an account of this name; nil if the package makes none.
    static func creation(of name: String) -> String? { name == account ? "run: \(creation)" : nil }

    private static let creation = "systemd-sysusers \(entry)"
}
