package import Encoding
import Glibc
import POSIX

/// Checks whether a store and its key can be opened at a path, without creating or changing anything.
///
/// Root checks on behalf of the owner of the directory, any other user on its own behalf.
package struct StoreSurvey: Sendable {
    /// What systemd does to a state directory before it starts the program.
    package enum Repair: Sendable, Equatable {
        /// It corrects the mode of the directory, and nothing in it.
        case mode
        /// It also gives the directory and everything in it to a user.
        case owner(UInt32)
        /// It makes the directory and those above it.
        case creation
    }

    /// What prevents the store from opening or writing, with remedies.
    package private(set) var problems: [Advice] = []
    /// What depends on conditions that cannot be checked here.
    package private(set) var notes: [String] = []
    /// The number of marks of spent states, including expired marks that are not yet removed.
    package private(set) var spentStates = 0
    /// How many more files the file system has room for; nil if it does not say, or if the store does not exist yet.
    package private(set) var freeFiles: Int?

    private let files: FileSystem
    private let user = User.current.id
    private let repair: Repair?

    /// - Parameters:
    ///   - directory: the path of the store.
    ///   - repair: what systemd corrects before it starts the program; nil if it corrects nothing.
    ///   - files: the system calls to use.
    package init(directory: String, before repair: Repair? = nil, files: FileSystem = FileSystem()) {
        (self.files, self.repair) = (files, repair)
        let path = StoreDirectories.withoutSlashes(directory)
        do throws(StoreError) {
            try checkRoot(path)
        } catch {
            problems.append(error.advice)
        }
    }

    private mutating func checkRoot(_ path: String) throws(StoreError) {
        let what = "the state directory \(path)"
        guard let root = try open(path, in: .working, what: what) else { return try checkAbove(path) }
        let status = try asStoreError { () throws(SystemError) in try files.status(root) }
        // systemd gives a directory below /var/lib/private to the user of its service at each start.
        if user == 0, status.owner != 0, !path.hasPrefix("/var/lib/private/") {
            notes.append("\(what) belongs to \(User(id: status.owner).described): serve must run as that user")
        }
        let owner = user == 0 ? status.owner : user
        if repair == nil { try checkWritable(root, path: path, isPart: false, owner: owner) }
        try checkFiles(in: root, at: path, owner: owner)
        for name in StoreDirectories.parts {
            let what = "the directory \(path)/\(name)"
            do throws(StoreError) {
                guard let part = try open(name, in: root, what: what) else { continue }
                let status = try asStoreError { () throws(SystemError) in try files.status(part) }
                try checkWritable(part, path: "\(path)/\(name)", isPart: true, owner: ownerAtStart(status, owner))
                if name == "spent" { countMarks(in: part) }
            } catch {
                problems.append(error.advice)
            }
        }
        let key = try asStoreError { () throws(SystemError) in
            try files.statusIfPresent(ServerKeys.fileName, in: root)
        }
        _ = try ServerKeys.read(
            ServerKeys.fileName,
            in: root,
            at: path,
            owner: key.map { ownerAtStart($0, owner) } ?? owner,
            random: .system(files),
            files: files
        )
        if case .owner = repair { return }
        // The same command gives everything to the user of the program.
        guard problems.isEmpty, let message = ForeignFiles.message(path, owner: owner, files: files) else { return }
        problems.append(message)
    }

    /// The owner that a file has to have now: any one if systemd gives the file to the user of the program.
    private func ownerAtStart(_ status: FileStatus, _ owner: UInt32) -> UInt32 {
        if case .owner = repair { status.owner } else { owner }
    }

    /// Finds files that the program could not read, such as those that root restored from a backup.
    private mutating func checkFiles(
        in root: borrowing FileDescriptor,
        at path: String,
        owner: UInt32
    ) throws(StoreError) {
        let names = try asStoreError { () throws(SystemError) in try files.names(in: root) }
        for name in names.sorted() where !name.hasPrefix(".") && !name.hasPrefix(ServerKeys.fileName) {
            guard let status = try? files.status(name, in: root), status.kind == .regular else { continue }
            let isOwn = ownerAtStart(status, owner) == status.owner
            guard status.permissions & (isOwn ? 0o400 : 0o004) == 0 else { continue }
            let user = User(id: owner)
            // A backup that root restored has records of root too, whose members would be signed out.
            let remedy =
                status.owner == owner
                ? "chmod 600 \(ShellWord.quoted("\(path)/\(name)"))"
                : "chown -R \(ShellWord.quoted("\(user.name):")) \(ShellWord.quoted(path))"
            let what =
                "\(user.described) cannot read \(path)/\(name) (\(User(id: status.owner).described), mode "
                + "\(String(status.permissions, radix: 8)))"
            problems.append(Advice(what, "run: \(remedy)"))
        }
    }

    private mutating func countMarks(in spent: borrowing FileDescriptor) {
        for shard in 0..<RecordName.shardCount {
            guard let directory = try? files.openDirectory(RecordName.shard(shard), in: spent) else { continue }
            spentStates += (try? files.names(in: directory))?.count { RecordName.isFile($0) } ?? 0
        }
        freeFiles = (try? files.freeFiles(in: spent)) ?? nil
    }

    /// Checks whether the store could be created at the first start.
    private mutating func checkAbove(_ path: String) throws(StoreError) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let above = slash == path.startIndex ? "/" : String(path[..<slash])
        // "/." follows a symbolic link, as the system does for every part of a path but the last.
        let what = "the directory above \(path)"
        guard let parent = try open(above + "/.", in: .working, what: what) else {
            guard repair == .creation else { throw StoreDirectories.missing(above: path) }
            return try checkAbove(above)
        }
        guard files.mayWrite(parent) else {
            throw files.isReadOnly(parent) ? Self.readOnly(above) : StoreDirectories.uncreatable(path)
        }
        notes.append(
            "the state directory \(path) does not exist yet: serve creates it if its user may write in \(above), or "
                + "systemd's StateDirectory= does"
        )
    }

    private func checkWritable(
        _ directory: borrowing FileDescriptor,
        path: String,
        isPart: Bool,
        owner: UInt32
    ) throws(StoreError) {
        try StoreDirectories.check(directory, path: path, isPart: isPart, owner: owner, files: files)
        let permissions = try asStoreError { () throws(SystemError) in try files.status(directory).permissions }
        let isForOwner = owner == 0 || permissions & 0o300 == 0o300
        guard isForOwner, files.mayWrite(directory) else {
            if files.isReadOnly(directory) { throw Self.readOnly(path) }
            let detail =
                "the directory \(path) is not writable for its owner (mode \(String(permissions, radix: 8)))"
            throw StoreError(.unusable, detail: detail, remedy: "run: chmod 700 \(ShellWord.quoted(path))")
        }
    }

    private static func readOnly(_ path: String) -> StoreError {
        let detail =
            "the directory \(path) is on a file system that is mounted read-only, so no mode helps: findmnt -T "
            + "\(ShellWord.quoted(path)) shows it; after an error of the disk, dmesg has the reason"
        return StoreError(.unusable, detail: detail)
    }

    /// Opens a directory; nil if it does not exist.
    private func open(
        _ name: String,
        in parent: borrowing FileDescriptor,
        what: String
    ) throws(StoreError) -> FileDescriptor? {
        try asStoreError(opening: what) { () throws(SystemError) -> FileDescriptor? in
            try files.openDirectoryIfPresent(name, in: parent)
        }
    }
}
