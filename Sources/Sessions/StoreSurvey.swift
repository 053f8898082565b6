import Encoding
import Glibc

/// What a store and its key would meet at a path, found out without making or changing anything.
///
/// Root looks on behalf of the user that the directory belongs to; any other user on its own behalf.
package struct StoreSurvey: Sendable {
    /// What keeps the store from opening or from writing, with the remedy.
    package private(set) var problems: [String] = []
    /// What holds under a condition that cannot be judged from here.
    package private(set) var notes: [String] = []
    /// Marks of used states, the expired ones that are not yet removed included.
    package private(set) var spentStates = 0
    /// Files that the file system has room for; nil if it does not say, or if there is no store yet.
    package private(set) var freeFiles: Int?

    private let files: FileSystem
    private let user = FileSystem.effectiveUser

    /// - Parameters:
    ///   - directory: the path that the store would get.
    ///   - files: the system.
    package init(directory: String, files: FileSystem = FileSystem()) {
        self.files = files
        let path = StoreDirectories.withoutSlashes(directory)
        do throws(StoreError) {
            try lookAtRoot(path)
        } catch {
            problems.append(error.detail)
        }
    }

    private mutating func lookAtRoot(_ path: String) throws(StoreError) {
        let what = "the state directory \(path)"
        guard let root = try open(path, in: .working, what: what) else { return try lookAbove(path) }
        let status = try asStoreError { () throws(SystemError) in try files.status(root) }
        if user == 0, status.owner != 0 {
            notes.append("\(what) belongs to user \(FileSystem.userName(status.owner)): serve must run as that user")
        }
        let owner = user == 0 ? status.owner : user
        try judge(root, path: path, owner: owner)
        for name in StoreDirectories.parts {
            let what = "the directory \(path)/\(name)"
            do throws(StoreError) {
                guard let part = try open(name, in: root, what: what) else { continue }
                try judge(part, path: "\(path)/\(name)", owner: owner)
                if name == "spent" { countMarks(in: part) }
            } catch {
                problems.append(error.detail)
            }
        }
        _ = try ServerKeys.read(ServerKeys.fileName, in: root, owner: owner, random: .system(files), files: files)
    }

    private mutating func countMarks(in spent: borrowing FileDescriptor) {
        for shard in 0..<FileStore.shardCount {
            guard let directory = try? files.openDirectory(RecordName.shard(shard), in: spent) else { continue }
            spentStates += (try? files.names(in: directory))?.count { RecordName.isFile($0) } ?? 0
        }
        freeFiles = (try? files.freeFiles(in: spent)) ?? nil
    }

    /// Whether the directory could be made at the first start.
    private mutating func lookAbove(_ path: String) throws(StoreError) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let above = slash == path.startIndex ? "/" : String(path[..<slash])
        // Following links, as the system does on the way to the last part of a path.
        let what = "the directory above \(path)"
        guard let parent = try open(above + "/.", in: .working, what: what) else {
            throw StoreDirectories.missing(above: path)
        }
        guard files.mayWrite(parent) else { throw StoreDirectories.uncreatable(path) }
        notes.append(
            "the state directory \(path) does not exist yet: serve creates it if its user may write in \(above), or "
                + "systemd's StateDirectory= does"
        )
    }

    private func judge(_ directory: borrowing FileDescriptor, path: String, owner: UInt32) throws(StoreError) {
        try StoreDirectories.check(directory, path: path, owner: owner, files: files)
        let permissions = try asStoreError { () throws(SystemError) in try files.status(directory).permissions }
        let isForOwner = owner == 0 || permissions & 0o300 == 0o300
        guard isForOwner, files.mayWrite(directory) else {
            let detail =
                "the directory \(path) is not writable (mode, or a read-only file system); "
                + "run: chmod 700 \(ShellWord.quoted(path))"
            throw StoreError(.unusable, detail: detail)
        }
    }

    /// Nil if there is nothing under the name.
    private func open(
        _ name: String,
        in parent: borrowing FileDescriptor,
        what: String
    ) throws(StoreError) -> FileDescriptor? {
        try asStoreError(opening: what) { () throws(SystemError) -> FileDescriptor? in
            do throws(SystemError) {
                return try files.openDirectory(name, in: parent)
            } catch {
                guard error.number == ENOENT else { throw error }
                return nil
            }
        }
    }
}
