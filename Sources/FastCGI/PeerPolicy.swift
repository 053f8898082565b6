import CSystem
import Glibc

/// Which local users may connect to a Unix socket, by what the system says of the peer (`SO_PEERCRED`).
package enum PeerPolicy: Sendable, Equatable {
    /// Everybody whom the socket's mode lets in.
    case any
    case only(Set<UInt32>)

    /// Takes user names and numeric user ids.
    ///
    /// - Parameter users: at least one; nobody at all would be a mistake.
    /// - Throws: `FastCGIError` if there is none, or a name that the system does not know.
    package init(users: [String]) throws(FastCGIError) {
        var ids: Set<UInt32> = []
        for user in users {
            ids.insert(try Self.id(user))
        }
        guard !ids.isEmpty else { throw FastCGIError("allow peers", hint: "name at least one user") }
        self = .only(ids)
    }

    private static func id(_ user: String) throws(FastCGIError) -> UInt32 {
        if let id = UInt32(user) { return id }
        // unsafe because the C library answers with a pointer to its own record, which is read at once.
        guard let entry = unsafe getpwnam(user) else {
            throw FastCGIError("allow the user \(user)", hint: Remedy.missingUser(user))
        }
        return unsafe entry.pointee.pw_uid
    }

    /// The user of a process at the other end of a Unix socket, or nil if the system cannot say.
    static func peer(of number: Int32) -> UInt32? {
        credentials(of: number)?.uid
    }

    /// The process at the other end of a Unix socket, or nil if it is not visible from here.
    static func process(of number: Int32) -> pid_t? {
        credentials(of: number).flatMap { $0.pid > 1 ? $0.pid : nil }
    }

    private static func credentials(of number: Int32) -> peer_credentials? {
        var peer = peer_credentials()
        var length = socklen_t(MemoryLayout<peer_credentials>.size)
        // unsafe because the system call fills in a local value through a pointer.
        let status = unsafe getsockopt(number, SOL_SOCKET, SO_PEERCRED, &peer, &length)
        return status == 0 && length == socklen_t(MemoryLayout<peer_credentials>.size) ? peer : nil
    }
}
