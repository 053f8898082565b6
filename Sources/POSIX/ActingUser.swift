import Glibc

/// A user, with the groups that a process of this user has.
package struct ProcessUser: Sendable, Equatable {
    package let user: User
    /// The ids of all groups, first the one of new files.
    package let groups: [UInt32]

    package init(_ user: User, groups: [UInt32]) {
        (self.user, self.groups) = (user, groups)
    }

    /// A user with the groups that the system's user database gives this user.
    package init(_ user: User) {
        self.init(user, groups: user.groups)
    }
}

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
        useHome()
        return true
    }

    /// Makes this process of root act as a user with groups, for example to open a connection.
    ///
    /// - Parameter acting: The user and the groups.
    /// - Returns: False for a process of another user; nothing has changed then.
    /// - Throws: `SystemError` if the system refuses it.
    package static func become(_ acting: ProcessUser) throws(SystemError) -> Bool {
        guard geteuid() == 0 else { return false }
        let groups = acting.groups
        // unsafe because the call reads through a pointer, at most the number of groups in the array.
        try SystemError.attempt("setgroups") { unsafe setgroups(groups.count, groups) }
        if let own = groups.first { try SystemError.attempt("setegid") { setegid(own) } }
        try SystemError.attempt("seteuid") { seteuid(acting.user.id) }
        useHome()
        return true
    }

    /// Libraries look for files below `HOME`, such as libpq for certificates, and the user may not enter that of root.
    private static func useHome() {
        Environment.set("HOME", User.current.home ?? "/")
    }

    /// Whether this process began as root, also while it acts as another user.
    package static var isRoot: Bool { getuid() == 0 }

    /// Whether a person runs this process, who can run it with sudo; root acts as the user of a service, whatever its number.
    package static var isPerson: Bool { !isRoot && User.current.isPerson }

    /// Makes a process that began as root act as root again.
    package static func becomeRoot() {
        guard isRoot else { return }
        _ = seteuid(0)
        _ = setegid(getgid())
    }

    /// Does work of a process of root as another user.
    ///
    /// - Parameters:
    ///   - acting: The user and the groups; nil for the present user.
    ///   - work: The work.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    package static func perform<Success, Failure>(
        as acting: ProcessUser?,
        _ work: () throws(Failure) -> Success
    ) throws(Failure) -> Success {
        guard let acting, (try? become(acting)) == true else { return try work() }
        defer { becomeRoot() }
        return try work()
    }

    /// Does work as root, if this process began as root and acts as another user.
    ///
    /// - Parameter work: The work.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    package static func performAsRoot<Success, Failure>(
        _ work: () throws(Failure) -> Success
    ) throws(Failure) -> Success {
        let (user, group) = (geteuid(), getegid())
        becomeRoot()
        defer {
            if geteuid() != user {
                _ = setegid(group)
                _ = seteuid(user)
            }
        }
        return try work()
    }
}
