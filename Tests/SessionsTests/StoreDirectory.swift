import Foundation
import Glibc
import Sessions
import TestSupport

/// A store in a directory of the test's own, and what lies in it.
struct StoreDirectory: Sendable {
    let path: String
    let store: FileStore
    private let temporary: TemporaryDirectory

    init(
        idleLimit: Duration = .seconds(3_600),
        lockPatience: Duration = .seconds(60),
        random: RandomBytes = .system(),
        files: FileSystem = FileSystem()
    ) throws {
        temporary = try TemporaryDirectory()
        path = temporary.path("store")
        store = try FileStore(
            directory: path,
            idleLimit: idleLimit,
            lockPatience: lockPatience,
            random: random,
            files: files
        )
    }

    /// The paths of all files below a part of the store: "sessions" or "spent".
    func files(_ part: String = "sessions") throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path + "/" + part)
            .map { "\(path)/\(part)/\($0)" }
            .filter { mode($0) & S_IFMT != S_IFDIR }
    }

    /// Creates a session and tells where its record lies.
    func record(_ session: Session = .example()) async throws -> (ticket: Ticket, path: String) {
        let before = Set(try files())
        let ticket = try await store.create(session, now: .testStart)
        let new = Set(try files()).subtracting(before)
        guard let path = new.first, new.count == 1 else { throw CocoaError(.fileNoSuchFile) }
        return (ticket, path)
    }

    /// Kind and permissions, of a symbolic link its own; 0 if there is nothing.
    func mode(_ path: String) -> mode_t {
        var status = stat()
        // Safe because the call fills a local variable, and the string is a C string meanwhile.
        return unsafe lstat(path, &status) == 0 ? status.st_mode : 0
    }

    func modified(_ path: String) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
}
