import CSystem
import Glibc

/// Tells file systems in memory from those on a disk.
package enum MemoryFileSystem {
    /// TMPFS_MAGIC and RAMFS_MAGIC of linux/magic.h.
    private static let types: Set<UInt32> = [0x0102_1994, 0x8584_58f6]

    /// Returns whether a file at a path is, or would be, in memory (tmpfs or ramfs).
    ///
    /// - Parameter path: An absolute path. The directories at its end need not exist.
    /// - Returns: False also for a path whose file system cannot be determined.
    package static func contains(_ path: String) -> Bool {
        guard path.hasPrefix("/") else { return false }
        var parts = path.split(separator: "/")
        while true {
            do throws(SystemError) {
                return try types.contains(type(of: "/" + parts.joined(separator: "/")))
            } catch {
                guard error.number == ENOENT, !parts.isEmpty else { return false }
                parts.removeLast()
            }
        }
    }

    private static func type(of path: String) throws(SystemError) -> UInt32 {
        var status = statfs()
        // unsafe because the path becomes a C string and the call writes to the variable through a pointer.
        try SystemError.attempt("statfs") { unsafe statfs(path, &status) }
        return UInt32(truncatingIfNeeded: status.f_type)
    }
}
