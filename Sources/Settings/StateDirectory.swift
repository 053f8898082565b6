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
}
