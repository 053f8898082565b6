package import Encoding
import POSIX
import Sessions

import class FoundationEssentials.FileManager
import struct FoundationEssentials.URL

/// The path of the state directory.
package enum StateDirectory {
    /// Only root may enter it; systemd refuses to start a service with `DynamicUser=` if others may.
    static let parentBehindLinks = "/var/lib/private"
    private static let (parent, hidden) = ("/var/lib/", parentBehindLinks + "/")

    /// The place at which systemd keeps a directory of `/var/lib` for a service with `DynamicUser=`; nil for other paths.
    package static func behindLink(_ path: String) -> String? {
        path.hasPrefix(parent) && !path.hasPrefix(hidden) ? hidden + path.dropFirst(parent.count) : nil
    }

    /// Resolves symbolic links.
    ///
    /// The store does not follow links, but with systemd's `DynamicUser=` the state directory is a link into
    /// `/var/lib/private`. Only root can change the directories above it. systemd makes a missing link, or the missing
    /// directory behind the link, again when it starts the service.
    package static func resolved(_ path: String) -> String {
        let isMissing = !FileManager.default.fileExists(atPath: path)
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
        if isMissing, let place = behindLink(path),
            link.map({ [place, String(place.dropFirst(parent.count))].contains($0) })
                ?? ((try? FileStatus(path: place)) != nil)
        {
            return place
        }
        return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    fileprivate static func isLink(_ path: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
    }

    /// The address of the site that a state directory belongs to; nil if it names none, or if this user cannot read it.
    package static func owner(of path: String) -> String? {
        (try? StoreSite(directory: resolved(path)).read()) ?? nil
    }
}

extension SiteService {
    /// Whether the service may write in a state directory; false only if its unit says so.
    package func mayKeepState(in path: String) -> Bool {
        mayWrite(StateDirectory.resolved(path), orBelow: stateDirectories.map(StateDirectory.resolved))
    }

    /// The message about something else at the place of a state directory or of systemd's link to it, which is the fault to
    /// report: nothing is known of the store then; nil if the link is right or missing.
    package func messageAboutLostLink(to path: String) -> Advice? {
        guard unit?.isOn("DynamicUser") == true, stateDirectories.contains(path),
            let place = StateDirectory.behindLink(path)
        else { return nil }
        return ActingUser.performAsRoot {
            let exists = { (path: String) in (try? FileStatus(path: path)) != nil }
            let isMoved = exists(place) ? StateDirectory.isLink(place) : exists(path) && StateDirectory.isLink(path)
            if isMoved {
                let link = exists(place) ? place : path
                let (target, units) = (StateDirectory.resolved(link), "\(site.socketUnit) \(site.service)")
                let (from, back) = (ShellWord.quoted(target), ShellWord.quoted(link))
                return Advice(
                    "\(link) is a link to \(target), and systemd does not start the service with this link (a bind mount of "
                        + "\(target) at \(place) works)",
                    "run: systemctl stop \(units) && rm \(back) && mv -T \(from) \(back) && systemctl start \(units)"
                )
            }
            guard exists(place), exists(path), StateDirectory.resolved(path) != StateDirectory.resolved(place) else {
                return nil
            }
            return Advice(
                "\(path) is not a link to \(place), and both exist, so systemd does not start the service: of these "
                    + "two directories, keep the one with the sessions at \(place) and rename the other directory"
            )
        }
    }

    /// The directory above a state directory that the user of the service cannot enter; nil if there is none.
    package func directoryClosing(_ path: String) -> String? {
        let place = StateDirectory.resolved(path)
        let closed = ActingUser.perform(as: user) { FileName.closedDirectory(above: place) }
        // systemd shows the service its own directories in there, or moves them out without `DynamicUser=`.
        let isOwn = stateDirectories.contains(path) || unit?.isOn("DynamicUser") == true
        return closed == StateDirectory.parentBehindLinks && isOwn ? nil : closed
    }

    /// The problem of `/run` if the user of the service cannot enter it, and then no web server either; nil if this user can.
    package var problemOfRun: ConfigurationError.Problem? {
        guard ActingUser.isRoot, let user,
            ActingUser.perform(as: user, { FileName.closedDirectory(above: "/run/linkedin-signin") }) != nil
        else { return nil }
        let what =
            "\(user.user.described) cannot enter this directory, so the program does not start, and the web server cannot connect "
            + "to it"
        return .init(subject: "/run", Advice(what, "run: chmod a+x /run"))
    }
}
