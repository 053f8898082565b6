import Foundation
import Glibc
import Sessions
import Synchronization
import TestSupport

/// A store in a temporary directory, and the files in it.
struct StoreDirectory: Sendable {
    let path: String
    let place: FileStore
    let vault: Vault
    var store: SessionVault { vault.sessions }
    private let temporary: TemporaryDirectory

    init(
        idleLimit: Duration = .seconds(3_600),
        lockPatience: Duration = .seconds(60),
        remembered: Int = 2_048,
        random: RandomBytes = .system(),
        files: FileSystem = FileSystem()
    ) throws {
        temporary = try TemporaryDirectory()
        path = temporary.path("store")
        place = try FileStore(directory: path, lockPatience: lockPatience, remembered: remembered, files: files)
        vault = Vault(in: place, idleLimit: idleLimit, random: random)
    }

    /// The paths of all files in a part of the store: "sessions" or "spent".
    func files(_ part: String = "sessions") throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path + "/" + part)
            .map { "\(path)/\(part)/\($0)" }
            .filter { mode($0) & S_IFMT != S_IFDIR }
    }

    /// Creates a session and returns the path of its record.
    func record(_ session: Session = .example()) async throws -> (ticket: Ticket, path: String) {
        let before = Set(try files())
        let ticket = try await store.create(session, now: .testStart)
        let new = Set(try files()).subtracting(before)
        guard let path = new.first, new.count == 1 else { throw CocoaError(.fileNoSuchFile) }
        return (ticket, path)
    }

    /// Type and permissions, without following a symbolic link; 0 if there is no file.
    func mode(_ path: String) -> mode_t {
        var status = stat()
        // unsafe because the call reads a C string and fills a local variable.
        return unsafe lstat(path, &status) == 0 ? status.st_mode : 0
    }

    func modified(_ path: String) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
}

/// A disk on which one system call fails.
final class FaultyDisk: Sendable {
    private struct State {
        var count = 0
        var failing: Int?
        var call: FileSystem.Call?
        var number = EIO
        var failed: FileSystem.Call?
        var counts: [FileSystem.Call: Int] = [:]
    }

    private let state = Mutex(State())

    var files: FileSystem {
        FileSystem { call in
            self.state.withLock { state in
                state.counts[call, default: 0] += 1
                defer { state.count += 1 }
                guard state.count == state.failing || call == state.call else { return nil }
                state.failed = call
                return state.number
            }
        }
    }

    /// Makes one call fail: the one after this many other calls.
    func fail(after count: Int, with number: Int32) {
        state.withLock { $0 = State(failing: count, number: number) }
    }

    /// Makes every call of a kind fail.
    func fail(_ call: FileSystem.Call, with number: Int32) {
        state.withLock { $0 = State(call: call, number: number) }
    }

    /// Ends the faults.
    ///
    /// - Returns: the kind of the call that failed, if one did.
    @discardableResult
    func heal() -> FileSystem.Call? {
        state.withLock { state in
            defer { state = State() }
            return state.failed
        }
    }

    /// The number of calls of a kind since the last change.
    func count(_ call: FileSystem.Call) -> Int {
        state.withLock { $0.counts[call, default: 0] }
    }
}
