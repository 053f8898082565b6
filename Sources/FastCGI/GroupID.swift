import Glibc

/// A group of the system's, by name or number.
struct GroupID {
    let id: UInt32

    init(_ name: String) throws(FastCGIError) {
        if let id = UInt32(name) {
            self.id = id
            return
        }
        // unsafe because the C library answers with a pointer to its own record, which is read at once.
        guard let entry = unsafe getgrnam(name) else {
            throw FastCGIError("use the group \(name)", hint: "there is no such group")
        }
        id = unsafe entry.pointee.gr_gid
    }
}
