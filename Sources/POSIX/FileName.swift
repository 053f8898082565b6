import Glibc

/// The name of a file in its directory.
package enum FileName {
    /// The directory of a path as text; empty for a path without a slash.
    package static func directory(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    /// The first directory of an absolute path, without its last name, that the user of this process cannot enter; nil if there
    /// is none.
    package static func closedDirectory(above path: String) -> String? {
        path.indices.dropFirst().filter { path[$0] == "/" }.map { String(path[..<$0]) }.first { directory in
            do throws(SystemError) {
                _ = try FileStatus(path: directory + "/.")
                return false
            } catch {
                return error.number == EACCES
            }
        }
    }

    /// Removes the name of a file or of a symbolic link, which is not followed.
    ///
    /// - Throws: `SystemError`; `EISDIR` for a directory, `ENOENT` if there is nothing.
    package static func remove(_ path: String) throws(SystemError) {
        // unsafe because the path becomes a C string, valid during the call.
        try SystemError.attempt("unlink") { unsafe unlink(path) }
    }

    /// Gives a file another name in place of the file that has it, if any.
    package static func move(_ path: String, to other: String) throws(SystemError) {
        // unsafe because the paths become C strings, valid during the call.
        try SystemError.attempt("rename") { unsafe rename(path, other) }
    }
}
