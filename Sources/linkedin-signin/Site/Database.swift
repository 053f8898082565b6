import Dispatch
import Encoding
import EventLog
import PostgreSQLStore
import Sessions
import Settings
import SignIn
import Synchronization

/// The database that `SIGNIN_STORE` names, and the conditions under which `serve` can use it.
struct Database {
    let client: DatabaseClient
    /// Nil if each machine has the server keys in its state directory.
    let sharedKeys: SharedKeys?

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - settings: where the database is.
    ///   - observer: receives the beginning and the end of each outage.
    ///   - notices: receives sign-outs on other machines.
    ///   - isService: whether `store copy --finish` must not run meanwhile.
    ///   - limits: times and numbers; the defaults suit a sign-in.
    /// - Throws: `StartFailure` if the address cannot be understood.
    init(
        _ settings: Configuration.Database,
        observer: @escaping DatabaseClient.Observer = { _ in },
        notices: DatabaseClient.Listener? = nil,
        isService: Bool = false,
        limits: DatabaseLimits = DatabaseLimits()
    ) throws(StartFailure) {
        guard let target = DatabaseTarget(settings.address, password: settings.password) else {
            throw .misconfigured("\(Setting.store.name): libpq does not understand this address")
        }
        client = try StartFailure.ofStore { () throws(StoreError) in
            try DatabaseClient(target, limits: limits, observer: observer, notices: notices, isService: isService)
        }
        guard let text = settings.key else {
            sharedKeys = nil
            return
        }
        guard let key = ServerKeys(text: text) else {
            let message = "\(Setting.storeKey.name): is not a key of 32 bytes as base64url, as in a file server-key"
            throw .misconfigured(message)
        }
        sharedKeys = SharedKeys(client, seal: key)
    }

    /// Checks that the tables are those that this program works with, and that its role may use them.
    ///
    /// - Throws: `StartFailure` with the command to run. Returns if the database does not answer: requests then get 503
    ///   until it does.
    func requireSchema() throws(StartFailure) {
        do throws(StoreError) {
            let client = client
            let found = try wait { () async throws(StoreError) in try await Schema.version(in: client) }
            if let problem = Self.problem(ofVersion: found) {
                throw StoreError(.unusable, detail: problem.what, remedy: problem.remedy)
            }
            let missing = try wait { () async throws(StoreError) in try await Schema.missingRights(in: client) }
            if let problem = Self.problem(ofMissingRights: missing) {
                throw StoreError(.unusable, detail: problem.what, remedy: problem.remedy)
            }
        } catch {
            guard error.code == .unusable else { return }
            throw .misconfigured("\(Setting.store.name): \(error.detail)")
        }
    }

    /// Checks that `store copy --finish` does not move the sessions of the database.
    ///
    /// - Throws: `StartFailure` if it does. Returns if the database does not answer.
    func requireNoMove() throws(StartFailure) {
        do throws(StoreError) {
            let client = client
            try wait { () async throws(StoreError) in try await ServiceLock.requireFree(client) }
        } catch {
            guard error.code == .locked else { return }
            throw .unavailable(error)
        }
    }

    /// What to do about rights that the role of the program lacks; nil if it lacks none.
    static func problem(ofMissingRights missing: [String]) -> Advice? {
        missing.isEmpty ? nil : "the role lacks \(missing.joined(separator: "; ")): grant these rights"
    }

    /// The command that makes or changes the tables, which needs the role that owns them.
    private static let migration = "SIGNIN_STORE=postgresql://OWNER@HOST/DATABASE linkedin-signin store migrate"

    /// What is wrong with a version of the tables; nil for the one that this program works with.
    static func problem(ofVersion found: Int) -> Advice? {
        switch found {
        case Schema.version: nil
        case 0: Advice("the database has no tables of this program", "run: \(migration)")
        case ..<Schema.version:
            Advice("the tables have version \(found), and this program needs \(Schema.version)", "run: \(migration)")
        default:
            "the tables have version \(found), and this program knows \(Schema.version): install a newer linkedin-signin"
        }
    }
}

/// Waits on this thread for work that is asynchronous; for commands only, never while requests are answered.
func wait<Success: Sendable>(
    _ work: @escaping @Sendable () async throws(StoreError) -> Success
) throws(StoreError) -> Success {
    let (box, done) = (ResultBox<Success>(), DispatchSemaphore(value: 0))
    Task {
        do throws(StoreError) {
            let success = try await work()
            box.result.withLock { $0 = .success(success) }
        } catch {
            box.result.withLock { $0 = .failure(error) }
        }
        done.signal()
    }
    done.wait()
    return try box.result.withLock { $0 }.get()
}

/// Waits on this thread for a call of the store; for commands only.
///
/// - Throws: `StartFailure` if the store fails.
func waitForStore<Success: Sendable>(
    _ work: @escaping @Sendable () async throws(StoreError) -> Success
) throws(StartFailure) -> Success {
    try StartFailure.ofStore { () throws(StoreError) in try wait(work) }
}

private final class ResultBox<Success: Sendable>: Sendable {
    let result = Mutex<Result<Success, StoreError>>(.failure(StoreError(.unreachable, detail: "no response")))
}

extension LogEvent {
    /// What happened to the connections to the database.
    init(_ event: DatabaseClient.Event) {
        switch event {
        case .reachable: self.init(.info, .storeReachable, fields: [])
        case .unreachable(let error): self.init(error, while: .storeLost)
        }
    }
}
