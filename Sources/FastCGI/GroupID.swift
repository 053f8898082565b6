import Glibc

/// A group of the system's, by name or number.
package struct GroupID {
    let id: UInt32

    /// - Throws: `FastCGIError` for a name that the system does not know.
    package init(_ name: String) throws(FastCGIError) {
        if let id = UInt32(name) {
            self.id = id
            return
        }
        // unsafe because the C library answers with a pointer to its own record, which is read at once.
        guard let entry = unsafe getgrnam(name) else {
            throw FastCGIError("use the group \(name)", hint: Remedy.missingGroup(name))
        }
        id = unsafe entry.pointee.gr_gid
    }
}
