import Encoding
import Glibc
import POSIX
import Synchronization

/// The open directories of a store, so that every name is looked up in a directory that was checked.
///
/// If other directories take their place (a restored backup, a disk mounted again), those are opened under the same
/// descriptors, so that readers need neither a lock nor a restart.
final class StoreDirectories: Sendable {
    private struct Parts: ~Copyable {
        let sessions: FileDescriptor
        let spent: FileDescriptor
        let kept: FileDescriptor
        let tokens: FileDescriptor
    }

    /// The names of the directories in the state directory.
    static let parts = ["sessions", "spent", "kept", "tokens"]
    /// The name of the file of server keys in the state directory.
    static let keyFile = "server-key"

    let sessions: FileDescriptor
    let spent: FileDescriptor
    let kept: FileDescriptor
    let tokens: FileDescriptor
    let path: String
    private let files: FileSystem
    private let reopening = Mutex(())
    private let start = ContinuousClock.now
    /// In seconds after the start.
    private let lastCheck = Atomic<Int64>(0)

    /// Opens the directories, and creates missing ones with access for this user only.
    init(path: String, files: FileSystem) throws(StoreError) {
        self.path = Self.withoutSlashes(path)
        self.files = files
        try Self.make(self.path, files: files)
        let parts = try Self.open(self.path, files: files)
        sessions = parts.sessions
        spent = parts.spent
        kept = parts.kept
        tokens = parts.tokens
    }

    /// Opens the directories again if others are at the path now; to be called before writing.
    func refresh() throws(StoreError) {
        guard !isCurrent else { return }
        try reopening.withLock { _ throws(StoreError) in
            guard !isCurrent else { return }
            let parts = try Self.open(path, files: files)
            try asStoreError { () throws(SystemError) in
                try files.replace(sessions, with: parts.sessions)
                try files.replace(spent, with: parts.spent)
                try files.replace(kept, with: parts.kept)
                try files.replace(tokens, with: parts.tokens)
            }
        }
    }

    /// Does the same as `refresh`, at most once a second; to be called when a record was not found.
    ///
    /// - Returns: true if other directories were opened, so that the record may be found now.
    func refreshAtMostOncePerSecond() throws(StoreError) -> Bool {
        let now = (ContinuousClock.now - start).components.seconds
        guard now > lastCheck.load(ordering: .relaxed) else { return false }
        guard !isCurrent else {
            lastCheck.store(now, ordering: .relaxed)
            return false
        }
        try refresh()
        return true
    }

    private var isCurrent: Bool {
        isCurrent(sessions, "sessions") && isCurrent(spent, "spent") && isCurrent(kept, "kept")
            && isCurrent(tokens, "tokens")
    }

    private func isCurrent(_ directory: borrowing FileDescriptor, _ name: String) -> Bool {
        guard let here = try? files.status(directory).identity,
            let there = try? files.status("\(path)/\(name)", in: .working).identity
        else { return false }
        return here == there
    }

    // MARK: - Opening

    /// A path without slashes at its end, which would make the system follow a symbolic link.
    static func withoutSlashes(_ path: String) -> String {
        path.lastIndex { $0 != "/" }.map { String(path[...$0]) } ?? path
    }

    private static func make(_ path: String, files: FileSystem) throws(StoreError) {
        do {
            try files.makeDirectory(path, in: .working)
        } catch {
            switch error.number {
            case EEXIST: return
            case ENOENT: throw missing(above: path)
            // Opening the directory, which may exist, fails then too.
            case EACCES where opening(above: path) != nil: return
            case EACCES, EPERM: throw uncreatable(path)
            default: throw StoreError(error)
            }
        }
    }

    private static func open(_ path: String, files: FileSystem) throws(StoreError) -> Parts {
        let what = "the state directory \(path)"
        let root = try asStoreError(opening: what, remedy: opening(above: path)) { () throws(SystemError) in
            try files.openDirectory(path, in: .working)
        }
        try check(root, path: path, isPart: false, files: files)
        return Parts(
            sessions: try openPart("sessions", of: root, at: path, files: files),
            spent: try openPart("spent", of: root, at: path, files: files),
            kept: try openPart("kept", of: root, at: path, files: files),
            tokens: try openPart("tokens", of: root, at: path, files: files)
        )
    }

    /// What lets this user enter the directories above a path; nil if this user can.
    private static func opening(above path: String) -> String? {
        FileName.closedDirectory(above: path).map { ShellWord.opening($0) ?? "use a directory outside \($0)" }
    }

    static func missing(above path: String) -> StoreError {
        StoreError(.unusable, detail: "the directory above \(path) does not exist", remedy: creation(of: path))
    }

    static func uncreatable(_ path: String) -> StoreError {
        let detail =
            "the state directory \(path) does not exist, and \(User.current.described) cannot create it"
        return StoreError(.unusable, detail: detail, remedy: creation(of: path))
    }

    private static func creation(of path: String) -> String {
        let user = ShellWord.quoted(User.current.name)
        return "run: install -d -o \(user) -m 0700 \(ShellWord.quoted(path))"
    }

    private static func openPart(
        _ name: String,
        of root: borrowing FileDescriptor,
        at path: String,
        files: FileSystem
    ) throws(StoreError) -> FileDescriptor {
        let what = "the directory \(path)/\(name)"
        // The directory above belongs to this user.
        let remedy = "run: chown -R \(ShellWord.quoted(User.current.name)) \(ShellWord.quoted("\(path)/\(name)"))"
        let part = try asStoreError(opening: what, remedy: remedy) { () throws(SystemError) in
            try files.openOrMakeDirectory(name, in: root)
        }
        try check(part, path: "\(path)/\(name)", isPart: true, files: files)
        return part
    }

    /// Checks owner and permissions of a directory.
    ///
    /// - Parameters:
    ///   - directory: The directory, open.
    ///   - path: Its path, for messages.
    ///   - isPart: Whether it is a directory in the state directory.
    ///   - owner: The user id that the program runs as, or would run as.
    ///   - files: The system.
    /// - Throws: `StoreError` with the command that repairs them, if other users have access to the directory.
    static func check(
        _ directory: borrowing FileDescriptor,
        path: String,
        isPart: Bool,
        owner: UInt32 = User.current.id,
        files: FileSystem
    ) throws(StoreError) {
        let status = try asStoreError { () throws(SystemError) in try files.status(directory) }
        let fault: String
        let command: String
        if status.owner != owner {
            let user = User(id: owner).name
            fault = "belongs to \(User(id: status.owner).described), not to \(User(id: owner).described)"
            command = "chown -R \(ShellWord.quoted(user)) \(ShellWord.quoted(path))"
        } else if status.permissions & 0o077 != 0 {
            fault = "is open to other users (mode \(String(status.permissions, radix: 8)))"
            command = "chmod 700 \(ShellWord.quoted(path))\(isPart ? "" : modeOfUnit)"
        } else {
            return
        }
        let isOwn = isPart || isStateDirectory(directory, files: files)
        let others = isOwn ? "" : ", and has files of other programs"
        let remedy = isOwn ? "run: \(command)" : "use a directory that only this site uses"
        throw StoreError(.unusable, detail: "the directory \(path) \(fault)\(others)", remedy: remedy)
    }

    /// What else to do about the mode of a state directory if systemd sets the mode at each start of this program.
    private static var modeOfUnit: String {
        guard Environment.variable("STATE_DIRECTORY") != nil else { return "" }
        return
            ", and write StateDirectoryMode=0700 after the last line StateDirectory= of the unit, because systemd sets this mode "
            + "at each start"
    }

    /// Whether a directory contains nothing but what a store makes there.
    ///
    /// A message must not tell an operator to give another owner or mode to any other directory.
    private static func isStateDirectory(_ directory: borrowing FileDescriptor, files: FileSystem) -> Bool {
        guard let names = try? files.names(in: directory) else { return false }
        return names.allSatisfy { name in
            parts.contains(name) || name.hasPrefix(keyFile) || name == StoreSite.fileName
                || name.hasPrefix(".") || name == "lost+found"
        }
    }
}
