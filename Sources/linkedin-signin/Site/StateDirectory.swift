import Settings

import struct FoundationEssentials.URL

/// The state directory, with the path that the operator configured.
enum StateDirectory {
    /// Resolves symbolic links.
    ///
    /// The store does not follow links, but with systemd's `DynamicUser=` the state directory is a link into
    /// `/var/lib/private`. Only root can change the directories above it.
    static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
}

extension SiteService {
    /// Whether the service may write in a state directory; false only if its unit says so.
    func mayKeepState(in path: String) -> Bool {
        mayWrite(StateDirectory.resolved(path), orBelow: [StateDirectory.resolved(stateDirectory)])
    }
}
