import Encoding
import POSIX

/// Files of a store that belong to another user than the program's, such as those that root restored from a backup.
///
/// The program reads none of them: to the program, their sessions, forms and tokens do not exist.
struct ForeignFiles {
    private let files: FileSystem
    private let owner: UInt32
    private var count = 0
    private var owners: Set<UInt32> = []

    /// What is wrong with a store and what to do; nil if all files in its directories belong to a user.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - owner: The user.
    ///   - files: The system calls to use.
    /// - Returns: The message.
    static func message(_ path: String, owner: UInt32, files: FileSystem) -> Advice? {
        var found = ForeignFiles(files: files, owner: owner)
        for part in StoreDirectories.parts {
            guard let directory = try? files.openDirectory("\(path)/\(part)", in: .working) else { continue }
            found.look(in: directory)
        }
        guard found.count > 0 else { return nil }
        let (user, others) = (User(id: owner), found.owners.sorted().map { User(id: $0).described })
        return Advice(
            "\(found.count) \(found.count == 1 ? "file belongs" : "files belong") to \(others.joined(separator: ", ")), and "
                + "the program, which runs as \(user.described), does not read such files: their members are signed out",
            "run: chown -R \(ShellWord.quoted("\(user.name):")) \(ShellWord.quoted(path))"
        )
    }

    private init(files: FileSystem, owner: UInt32) {
        (self.files, self.owner) = (files, owner)
    }

    private mutating func look(in directory: borrowing FileDescriptor) {
        for name in (try? files.names(in: directory)) ?? [] {
            guard let status = try? files.status(name, in: directory) else { continue }
            if status.owner != owner {
                count += 1
                owners.insert(status.owner)
            }
            if status.kind == .directory, let inner = try? files.openDirectory(name, in: directory) { look(in: inner) }
        }
    }
}
