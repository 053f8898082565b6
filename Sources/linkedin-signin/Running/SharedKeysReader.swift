import EventLog
import PostgreSQLStore
import Sessions
import Settings
import SignIn
import Synchronization

/// Keeps the server keys up to date with those in the database.
final class SharedKeysReader: Sendable {
    /// Empty until the database answers.
    let keys = ServerKeys.unknown()
    /// The keys in the database, and the key of the file, which becomes the first one also if the database answers only after
    /// the start.
    private let source = Mutex<(shared: SharedKeys, own: ServerKeys?)?>(nil)
    private let file: String
    private let log: Log

    /// Much shorter than the time that a new key waits before it seals.
    private static let pause = Duration.seconds(5)

    /// - Parameters:
    ///   - file: the path of the file that this machine took its key from before, if it exists.
    ///   - log: receives events.
    init(insteadOf file: String, log: Log) {
        self.file = file
        self.log = log
    }

    /// Whether the server keys are in the database.
    var isUsed: Bool { source.withLock { $0 != nil } }

    /// Reads the keys for the first time.
    ///
    /// - Parameter shared: the keys in the database.
    /// - Throws: `StartFailure` if this machine has another key than the others. Returns if the database does not answer:
    ///   sign-ins then get 503 until it does.
    func use(_ shared: SharedKeys) throws(StartFailure) {
        source.withLock { $0 = (shared, nil) }
        let keys = keys
        do throws(StoreError) {
            let own = try ServerKeys.existing(file: file)
            source.withLock { $0 = (shared, own) }
            _ = try wait { () async throws(StoreError) in try await shared.load(into: keys, own: own) }
        } catch {
            guard error.code == .unusable else { return log(LogEvent(error, while: .serverKeysFailed)) }
            throw StartFailure(description: "\(Setting.storeKey.name): \(error.detail)", exitCode: .misconfigured)
        }
    }

    /// Reads the keys soon.
    func read() {
        // Without this, the task would have the priority of the caller.
        Task(priority: .medium) { await load() }
    }

    /// Reads the keys every few seconds until the task is cancelled: the message of a change can be lost.
    func readRepeatedly() -> Task<Void, Never> {
        Task(priority: .medium) {
            while (try? await Task.sleep(for: Self.pause)) != nil { await load() }
        }
    }

    private func load() async {
        guard let (shared, own) = source.withLock(\.self) else { return }
        do throws(StoreError) {
            guard try await shared.load(into: keys, own: own) else { return }
            log(LogEvent(.info, .serverKeysRead, fields: [("keys", String(keys.count))]))
        } catch {
            // An outage has its own event.
            if error.code != .unreachable { log(LogEvent(error, while: .serverKeysFailed)) }
        }
    }
}
