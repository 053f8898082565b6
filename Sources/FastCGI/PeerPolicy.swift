import CSystem
import Encoding
import Glibc
import POSIX

/// The local users whose processes may connect to a Unix socket, identified by the system (`SO_PEERCRED`).
package enum PeerPolicy: Sendable, Equatable {
    /// Every user that the mode of the socket admits.
    case any
    case only(Set<UInt32>)

    /// Allows the users with these names or numeric user ids.
    ///
    /// - Parameter users: At least one, because an empty list would be a mistake.
    /// - Throws: `FastCGIError` for an empty list, or for a name that the system does not know.
    package init(users: [String]) throws(FastCGIError) {
        var ids: Set<UInt32> = []
        for name in users {
            guard let user = User(name) else {
                let command = "useradd --system --shell /usr/sbin/nologin \(ShellWord.quoted(name))"
                throw FastCGIError(
                    "allow the user \(name)",
                    hint: "there is no such user: correct the name. If the name is right, create the user: \(command)"
                )
            }
            ids.insert(user.id)
        }
        guard !ids.isEmpty else { throw FastCGIError("allow peers", hint: "name at least one user") }
        self = .only(ids)
    }

    /// The user of the process at the other end of a Unix socket, or nil if the system does not know it.
    static func peer(of number: Int32) -> UInt32? {
        credentials(of: number)?.uid
    }

    /// The process at the other end of a Unix socket, or nil if it is not visible from here.
    static func process(of number: Int32) -> pid_t? {
        credentials(of: number).flatMap { $0.pid > 0 ? $0.pid : nil }
    }

    private static func credentials(of number: Int32) -> peer_credentials? {
        var peer = peer_credentials()
        var length = socklen_t(MemoryLayout<peer_credentials>.size)
        // unsafe because the call writes to local variables through pointers.
        let status = unsafe getsockopt(number, SOL_SOCKET, SO_PEERCRED, &peer, &length)
        return status == 0 && length == socklen_t(MemoryLayout<peer_credentials>.size) ? peer : nil
    }
}
