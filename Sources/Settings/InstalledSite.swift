import Encoding
import POSIX

import class FoundationEssentials.FileManager
import var Glibc.ENOENT

/// A site at the places that the package and the systemd units use.
///
/// Every command finds a site's settings, state directory, socket and units by this value, so that they always belong
/// together.
package struct InstalledSite: Sendable, Hashable {
    /// The instance of `linkedin-signin@.service`; nil for the site of `linkedin-signin.service`.
    package let name: String?

    private static let folder = "/etc/linkedin-signin"

    /// The site of `linkedin-signin.service`.
    package static let unnamed = InstalledSite(name: nil)

    private init(name: String?) {
        self.name = name
    }

    /// The instance of a name; nil for a text that cannot be the name of an instance and of a folder.
    package init?(named name: String) {
        let isPlain = name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-._:".utf8.contains($0) }
        guard isPlain, let first = name.utf8.first, first != UInt8(ascii: "."), first != UInt8(ascii: "-"),
            name.utf8.count <= 200
        else { return nil }
        self.init(name: name)
    }

    /// The site whose unit reads a settings file; nil for a file at any other place.
    package init?(settingsFile path: String) {
        // Several slashes are one, as in a unit in which systemd replaces %i by nothing.
        let parts = path.split(separator: "/").dropFirst(2)
        guard path.hasPrefix(Self.folder + "/"), !path.hasSuffix("/"), parts.last == "settings" else { return nil }
        switch parts.count {
        case 1: self = .unnamed
        case 2: self.init(named: parts.first.map(String.init) ?? "")
        default: return nil
        }
    }

    /// The site whose socket unit opens a path; nil for any other path.
    package init?(socket path: String) {
        let name = path.split(separator: "/").last?.dropLast(".socket".count) ?? ""
        let sites = [.unnamed, InstalledSite(named: String(name))].compactMap(\.self)
        guard let site = sites.first(where: { $0.socket == path }) else { return nil }
        self = site
    }

    /// The sites of this machine, by their settings files.
    package static var all: [InstalledSite] {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        return ([.unnamed] + names.compactMap { InstalledSite(named: $0) }).filter(\.exists)
    }

    /// The sites of this machine that have a state directory, with or without a settings file.
    package static var withStores: [InstalledSite] {
        // The link in the first directory can be missing until the next start of the service.
        let found = ["/var/lib", "/var/lib/private"].flatMap {
            (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? []
        }
        let names = Set(found).sorted()
        let prefix = "linkedin-signin-"
        let instances = names.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        return (names.contains("linkedin-signin") ? [.unnamed] : []) + instances.compactMap { InstalledSite(named: $0) }
    }

    /// Whether the site has a settings file, as far as this user can see.
    package var exists: Bool { (try? FileStatus(path: settingsFile)) != nil }
    /// Whether the site has no settings file; false if this user cannot look into its folder.
    package var isMissing: Bool {
        do throws(SystemError) {
            _ = try FileStatus(path: settingsFile)
            return false
        } catch {
            return error.number == ENOENT
        }
    }

    /// What this machine has of a site with a name, also if the settings file is lost: its folder and its state directory.
    package var remains: [String] {
        guard name != nil else { return [] }
        let folder = String(settingsFile.dropLast("/settings".count))
        return ActingUser.performAsRoot {
            [folder, StateDirectory.resolved(stateDirectory)].filter { (try? FileStatus(path: $0)) != nil }
        }
    }

    package var settingsFile: String { Self.folder + (name.map { "/\($0)" } ?? "") + "/settings" }
    /// The state directory of the unit, unless a drop-in file changes it.
    package var stateDirectory: String { "/var/lib/linkedin-signin" + (name.map { "-\($0)" } ?? "") }
    /// The socket of the socket unit, unless a drop-in file changes it.
    package var socket: String { "/run/linkedin-signin/" + (name.map { "\($0).socket" } ?? "socket") }
    package var service: String { unit + ".service" }
    package var socketUnit: String { unit + ".socket" }
    /// The name of the units without their type, which journalctl completes.
    package var unit: String { "linkedin-signin" + (name.map { "@\($0)" } ?? "") }
    /// The option that names the site, in front of a space; empty for the site that needs none.
    package var option: String { name.map { " --site \($0)" } ?? "" }
}
