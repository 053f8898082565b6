import POSIX

extension FileStatus {
    /// Whether the mode gives a user a permission; only the first class that fits counts (path_resolution(7)).
    func allows(_ permission: UInt32, _ user: UInt32, _ groups: [UInt32]) -> Bool {
        if user == 0 { return true }
        if user == owner { return permissions >> 6 & permission != 0 }
        if groups.contains(group) { return permissions >> 3 & permission != 0 }
        return permissions & permission != 0
    }

    /// Mode and owner, for a message.
    var described: String {
        "mode \(String(permissions, radix: 8)), \(User(id: owner).described), \(Group(id: group).described)"
    }
}
