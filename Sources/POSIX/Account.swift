import Glibc

/// A user of the system.
package struct User: Sendable, Equatable {
    package let id: UInt32

    package init(id: UInt32) {
        self.id = id
    }

    /// Finds a user by name or by a user id in digits; nil for a name that the system does not know.
    package init?(_ text: String) {
        if let id = UInt32(text) {
            self.id = id
            return
        }
        var record = unsafe passwd()
        let isFound = unsafe withAccountBuffer { buffer, length in
            var found: UnsafeMutablePointer<passwd>?
            // unsafe because the C library writes the record and its texts through pointers, within the buffer.
            let number = unsafe getpwnam_r(text, &record, buffer, length, &found)
            return (number, unsafe found != nil)
        }
        guard isFound else { return nil }
        id = unsafe record.pw_uid
    }

    /// The effective user of this process.
    package static var current: User { User(id: geteuid()) }

    /// The name of the user, or the user id in digits if the system has no name for it.
    package var name: String {
        known?.name ?? "\(id)"
    }

    /// Whether the user is a person and not a service: Debian gives these numbers to people.
    package var isPerson: Bool { (1_000...59_999).contains(id) }

    /// The groups of the user, first its own; empty for a user that the system does not know.
    package var groups: [UInt32] {
        guard let own = known?.group else { return [] }
        let name = name
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

    /// What the system knows of the user; nil for an unknown user.
    private var known: (name: String?, group: UInt32)? {
        var record = unsafe passwd()
        var name: String?
        let isFound = unsafe withAccountBuffer { buffer, length in
            var found: UnsafeMutablePointer<passwd>?
            // unsafe because the C library writes the record and its texts through pointers, within the buffer.
            let number = unsafe getpwuid_r(id, &record, buffer, length, &found)
            // unsafe because the name is a pointer into the buffer; it is copied while the buffer is valid.
            if unsafe found != nil, let text = unsafe record.pw_name { name = unsafe String(cString: text) }
            return (number, unsafe found != nil)
        }
        return isFound ? (name, unsafe record.pw_gid) : nil
    }
}

/// A group of the system.
package struct Group: Sendable, Equatable {
    package let id: UInt32

    /// Finds a group by name or by a group id in digits; nil for a name that the system does not know.
    package init?(_ text: String) {
        if let id = UInt32(text) {
            self.id = id
            return
        }
        var record = unsafe group()
        let isFound = unsafe withAccountBuffer { buffer, length in
            var found: UnsafeMutablePointer<group>?
            // unsafe because the C library writes the record and its texts through pointers, within the buffer.
            let number = unsafe getgrnam_r(text, &record, buffer, length, &found)
            return (number, unsafe found != nil)
        }
        guard isFound else { return nil }
        id = unsafe record.gr_gid
    }

    private init(id: UInt32) {
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
    package var name: String {
        var name: String?
        _ = unsafe withAccountBuffer { buffer, length in
            var record = unsafe group()
            var found: UnsafeMutablePointer<group>?
            // unsafe because the C library writes the record and its texts through pointers, within the buffer.
            let number = unsafe getgrgid_r(id, &record, buffer, length, &found)
            // unsafe because the name is a pointer into the buffer; it is copied while the buffer is valid.
            if unsafe found != nil, let text = unsafe record.gr_name { name = unsafe String(cString: text) }
            return (number, unsafe found != nil)
        }
        return name ?? "\(id)"
    }
}

/// Calls a function of the C library with a buffer for the texts of an account record, larger each time it asks for more.
///
/// - Parameter call: Returns 0 or an error number, and whether it found the account.
/// - Returns: Whether the last call found the account.
private func withAccountBuffer(
    _ call: (UnsafeMutablePointer<CChar>, Int) -> (number: Int32, isFound: Bool)
) -> Bool {
    var size = 1_024
    while true {
        // unsafe because the C library gets the buffer as a pointer and its size.
        let result = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
            guard let start = buffer.baseAddress else { return (number: ENOMEM, isFound: false) }
            return unsafe call(start, buffer.count)
        }
        // A group with many members needs a larger buffer; no real group reaches the limit.
        guard result.number == ERANGE, size < 1 << 24 else { return result.isFound }
        size *= 4
    }
}
