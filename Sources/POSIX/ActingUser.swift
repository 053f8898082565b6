import Glibc

/// The user on whose behalf root makes system calls.
package enum ActingUser {
    /// Makes this process of root act as the owner of a directory, so that new files in it belong to that owner.
    ///
    /// The directory becomes the working directory, because its owner may have no access to the directories above it, such
    /// as `/var/lib/private`.
    ///
    /// - Parameter path: The directory.
    /// - Returns: False for a process of another user; nothing has changed then.
    /// - Throws: `SystemError` if there is no such directory.
    package static func becomeOwner(of path: String) throws(SystemError) -> Bool {
        guard geteuid() == 0 else { return false }
        // unsafe because the path becomes a C string, valid during the call.
        try SystemError.attempt("chdir") { unsafe chdir(path) }
        let status = try FileStatus(path: ".")
        // The group first, because only root may change it.
        try SystemError.attempt("setegid") { setegid(status.group) }
        try SystemError.attempt("seteuid") { seteuid(status.owner) }
        return true
    }

    /// Makes this process of root act as a user with all groups of that user, for example to open a connection.
    ///
    /// - Parameter user: The user.
    /// - Returns: False for a process of another user; nothing has changed then.
    /// - Throws: `SystemError` if the system refuses it.
    package static func become(_ user: User) throws(SystemError) -> Bool {
        guard geteuid() == 0 else { return false }
        let groups = user.groups
        // unsafe because the call reads through a pointer, at most the number of groups in the array.
        try SystemError.attempt("setgroups") { unsafe setgroups(groups.count, groups) }
        if let own = groups.first { try SystemError.attempt("setegid") { setegid(own) } }
        try SystemError.attempt("seteuid") { seteuid(user.id) }
        return true
    }

    /// Whether this process began as root, also while it acts as another user.
    package static var isRoot: Bool { getuid() == 0 }

    /// Makes a process that began as root act as root again.
    package static func becomeRoot() {
        guard isRoot else { return }
        _ = seteuid(0)
        _ = setegid(getgid())
    }
}
