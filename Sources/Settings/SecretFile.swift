package import Encoding
import POSIX

/// A file that contains one secret and is not readable by every user.
package enum SecretFile {
    package struct Unusable: Error, CustomStringConvertible {
        package let advice: Advice
        /// Whether the file has no text, and nothing else is wrong.
        var isEmpty = false
        /// Whether the permissions of the file keep this user from reading it.
        var isDenied = false
        /// Whether every user can read or write the file.
        var isPublic = false

        package var description: String { advice.description }
    }

    /// Returns the text of a file without line breaks at its end.
    ///
    /// - Throws: `Unusable` if the file cannot be read, is empty, or every user can read or write it.
    package static func read(_ path: String) throws -> String {
        try read(path, whichIsPrivate: true)
    }

    /// Returns the text of a file of which systemd gives the program a copy that no other user can read.
    ///
    /// - Throws: `Unusable` if the file cannot be read, or is empty.
    static func original(_ path: String) throws -> String {
        try read(path, whichIsPrivate: false)
    }

    private static func read(_ path: String, whichIsPrivate mustBePrivate: Bool) throws -> String {
        let file: OperatorFile
        do throws(OperatorFile.Unusable) {
            // systemd passes a little more to a service, at most 1 MiB with the names of the credentials (systemd.exec(5)).
            file = try OperatorFile(path, limit: 1_000_000)
        } catch {
            guard error.isDenied else { throw Unusable(advice: error.advice.after("\(path) ")) }
            // Not through a group, whose other members could read the secret too.
            let user = User.current
            let command = "chown \(ShellWord.quoted(user.name)) \(ShellWord.quoted(path))"
            let remedy = ActingUser.isPerson ? "use sudo" : ManagedFile.remedy(ofSecret: path) ?? "run: \(command)"
            throw Unusable(advice: Advice("\(path) is not readable by \(user.described)", remedy), isDenied: true)
        }
        guard !mustBePrivate || isPrivate(file.status) else {
            let remedy = "run: chmod 600 \(ShellWord.quoted(path))"
            throw Unusable(advice: Advice("\(path) is readable or writable by every user", remedy), isPublic: true)
        }
        var text = file.text
        while text.last?.isNewline == true { text.removeLast() }
        guard file.status.kind != .fifo || !text.isEmpty else {
            let what = "\(path) is a FIFO, and each start waits until a program writes to it: put a file in its place"
            throw Unusable(advice: Advice(what))
        }
        guard !text.isEmpty else { throw Unusable(advice: "\(path) is empty", isEmpty: true) }
        return text
    }

    /// Whether the file exists and its permissions for all other users are empty.
    package static func isPrivate(_ path: String) -> Bool {
        (try? FileStatus(path: path)).map(isPrivate) ?? false
    }

    /// What others than its owner can do with a file, for messages; nil for a file that only its owner can use.
    package static func access(to path: String) -> String? {
        guard let status = try? FileStatus(path: path), status.permissions & 0o067 != 0 else { return nil }
        let verb = status.permissions & 0o022 != 0 ? "readable or writable" : "readable"
        return "\(verb) for \(isPrivate(status) ? "its group" : "every user")"
    }

    private static func isPrivate(_ status: FileStatus) -> Bool {
        status.permissions & 0o007 == 0
    }
}
