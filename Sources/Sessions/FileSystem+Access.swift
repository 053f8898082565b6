import Glibc

extension FileSystem {
    /// Whether this user may make files in a directory; asks, and makes none.
    func mayWrite(_ directory: borrowing FileDescriptor) -> Bool {
        // Safe because the string is a C string for the length of the call.
        unsafe faccessat(directory.number, ".", W_OK | X_OK, AT_EACCESS) == 0
    }

    /// What people call a user; the number where nobody has it.
    static func userName(_ user: UInt32) -> String {
        // Safe because the C library's own record is read at once.
        guard let entry = unsafe getpwuid(user), let name = unsafe entry.pointee.pw_name else { return "\(user)" }
        return unsafe String(cString: name)
    }
}
