import Glibc

/// A user of the system.
package struct User: Sendable, Equatable {
    package let id: UInt32

    package init(id: UInt32) {
        self.id = id
    }

    /// Finds a user by name or by a user id in digits; nil for a name that the system does not know.
    package init?(_ text: String) {
        // unsafe because the C library gets the name as a C string, and writes the record.
        let named = { unsafe account(passwd(), { unsafe getpwnam_r(text, $0, $1, $2, $3) }, { unsafe $0.pw_uid }) }
        guard let id = UInt32(text) ?? named() else { return nil }
        self.id = id
    }

    /// The effective user of this process.
    package static var current: User { User(id: geteuid()) }

    /// The name of the user, or the user id in digits if the system has no name for it.
    package var name: String {
        known?.name ?? "\(id)"
    }

    /// The user as messages name it: by its name, or by its user id if the system has no name for it.
    package var described: String { Self.described("user", id, known?.name) }

    fileprivate static func described(_ kind: String, _ id: UInt32, _ name: String?) -> String {
        "\(kind) \(name ?? "\(id) (an ID without a name on this machine)")"
    }

    /// Whether the user is a person and not a service: Debian gives these numbers to people.
    var isPerson: Bool { (1_000...59_999).contains(id) }

    /// The groups of the user, first its own; empty for a user that the system does not know.
    package var groups: [UInt32] { groups(own: known?.group) }

    /// The groups of a process of the user that has another group in place of the user's own (initgroups(3)).
    ///
    /// - Parameter own: The group.
    /// - Returns: The groups, first the given one; it alone for a user that the system does not know.
    package func groups(own: UInt32?) -> [UInt32] {
        guard let own else { return [] }
        guard let name = known?.name else { return [own] }
        var count: Int32 = 64
        while true {
            var groups = [gid_t](repeating: 0, count: Int(count))
            let room = count
            // unsafe because the C library gets the name as a C string, and writes through pointers within the array.
            if unsafe getgrouplist(name, own, &groups, &count) >= 0 { return Array(groups[..<Int(count)]) }
            // The call reports how many there are.
            guard count > room else { return [own] }
        }
    }

    /// Whether the number is one of those that systemd gives users of services with `DynamicUser=` (systemd.exec(5)).
    package var isDynamic: Bool { (61_184...65_519).contains(id) }

    /// The home directory; nil for a user that the system does not know.
    package var home: String? { known?.home }

    /// What the system knows of the user; nil for an unknown user.
    private var known: (name: String?, group: UInt32, home: String?)? {
        // The user as whom this process acts may not be able to read /etc/passwd.
        ActingUser.performAsRoot {
            // unsafe because the C library writes the record, whose name is copied.
            unsafe account(
                passwd(),
                { unsafe getpwuid_r(id, $0, $1, $2, $3) },
                {
                    (
                        unsafe $0.pw_name.map { unsafe String(cString: $0) }, unsafe $0.pw_gid,
                        unsafe $0.pw_dir.map { unsafe String(cString: $0) }
                    )
                }
            )
        }
    }
}

/// A group of the system.
package struct Group: Sendable, Equatable {
    package let id: UInt32

    /// Finds a group by name or by a group id in digits; nil for a name that the system does not know.
    package init?(_ text: String) {
        // unsafe because the C library gets the name as a C string, and writes the record.
        let named = { unsafe account(group(), { unsafe getgrnam_r(text, $0, $1, $2, $3) }, { unsafe $0.gr_gid }) }
        guard let id = UInt32(text) ?? named() else { return nil }
        self.id = id
    }

    package init(id: UInt32) {
        self.id = id
    }

    /// The effective group of this process.
    package static var current: Group { Group(id: getegid()) }

    /// Whether this process has a group, as its effective group or as a supplementary one.
    package static func isOfProcess(_ id: UInt32) -> Bool {
        // The system allows at most 65,536 groups (NGROUPS_MAX).
        var groups = [gid_t](repeating: 0, count: 65_536)
        // unsafe because the call writes through a pointer, at most the number of groups in the array.
        let count = unsafe getgroups(Int32(groups.count), &groups)
        return id == getegid() || groups.prefix(Int(max(count, 0))).contains(id)
    }

    /// The name of the group, or the group id in digits if the system has no name for it.
    package var name: String { known ?? "\(id)" }

    /// The group as messages name it: by its name, or by its group id if the system has no name for it.
    package var described: String { User.described("group", id, known) }

    /// The name that the system knows; nil for an unknown group.
    private var known: String? {
        let name = ActingUser.performAsRoot {
            // unsafe because the C library writes the record, whose name is copied.
            unsafe account(
                group(),
                { unsafe getgrgid_r(id, $0, $1, $2, $3) },
                { unsafe $0.gr_name.map { unsafe String(cString: $0) } }
            )
        }
        return name ?? nil
    }
}

private typealias Found<Record> = UnsafeMutablePointer<UnsafeMutablePointer<Record>?>

/// Finds an account with a function of the C library, which gets a buffer for the texts of the record, larger each time it asks
/// for more.
///
/// - Parameters:
///   - empty: The record that the function fills in.
///   - find: Calls the function; returns 0 or an error number.
///   - read: Reads the record, whose texts are in the buffer.
/// - Returns: What `read` returns; nil if there is no such account.
private func account<Record, Value>(
    _ empty: Record,
    _ find: (UnsafeMutablePointer<Record>, UnsafeMutablePointer<CChar>, Int, Found<Record>) -> Int32,
    _ read: (Record) -> Value
) -> Value? {
    var (record, size) = (empty, 1_024)
    while true {
        // unsafe because the C library gets the record and the buffer as pointers, and the size of the buffer.
        let (number, value) = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) {
            buffer -> (Int32, Value?) in
            guard let start = buffer.baseAddress else { return (ENOMEM, nil) }
            var found: UnsafeMutablePointer<Record>?
            let number = unsafe find(&record, start, buffer.count, &found)
            return (number, unsafe found == nil ? nil : read(record))
        }
        // A group with many members needs a larger buffer; no real group reaches the limit.
        guard number == ERANGE, size < 1 << 24 else { return value }
        size *= 4
    }
}
