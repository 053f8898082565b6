import Foundation
import PostgreSQLStore
import Sessions
import Synchronization
import TestSupport
import Testing

/// Where a store under test keeps what it is given.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory
    case files
    case postgreSQL

    var testDescription: String { rawValue }
}

typealias AnyStore = Vault

/// What every store that is tested here needs in common: a place, several stores on it, and hands on the records.
protocol StorePlace: Sendable {
    /// Another store on the same place, as another process or machine would have.
    func open(_ options: StoreOptions) throws -> AnyStore
    /// The bytes of every session's record.
    func records() async throws -> [[UInt8]]
    /// Writes other bytes over the record that is there.
    func rewrite(_ change: ([UInt8]) -> [UInt8]) async throws
    /// When the session that is there was last used, as written down.
    func lastUse() async throws -> Date?
    /// How many marks and kept forms there are.
    func counts() async throws -> (spent: Int, kept: Int)
    /// Everything that is written down, as one text to search.
    func content() async throws -> [UInt8]
    /// Waits for what the stores write later.
    func settle() async
}

/// A store of one kind, and its place.
struct TestStore: Sendable {
    let place: any StorePlace
    let store: AnyStore

    init(_ kind: StoreKind) async throws {
        switch kind {
        case .memory: place = MemoryPlace()
        case .files: place = try FilePlace()
        case .postgreSQL: place = try await DatabasePlace()
        }
        store = try place.open(StoreOptions())
    }
}

/// What a test asks of a store.
struct StoreOptions {
    var idleLimit = Duration.seconds(3_600)
    var lockPatience = Duration.seconds(30)
    var keptTotal = 1 << 20
    var spentStates = 1_000
}

extension Vault {
    fileprivate convenience init(in records: any Records, _ options: StoreOptions) {
        self.init(
            in: records,
            idleLimit: options.idleLimit,
            keptTotal: options.keptTotal,
            spentStates: options.spentStates,
            issuers: .test
        )
    }
}

/// The memory of this process.
struct MemoryPlace: StorePlace {
    private let memory = MemoryRecords()

    func open(_ options: StoreOptions) -> AnyStore {
        var records = memory
        records.lockPatience = options.lockPatience
        return Vault(in: records, options)
    }

    func records() -> [[UInt8]] { memory.withLock { $0.sessions.values.map(\.bytes) } }

    func rewrite(_ change: ([UInt8]) -> [UInt8]) {
        memory.withLock { all in
            for (name, old) in all.sessions { all.sessions[name] = ReadRecord(name, change(old.bytes), used: old.used) }
        }
    }

    func lastUse() -> Date? { memory.withLock { $0.sessions.values.first?.used } }

    func counts() -> (spent: Int, kept: Int) {
        memory.withLock { ($0.others[.state]?.count ?? -1, $0.others[.form]?.count ?? -1) }
    }

    func content() -> [UInt8] {
        memory.withLock { all in
            let others = all.others.values.joined().flatMap { $0.key.bytes + $0.value.bytes }
            let tokens = all.tokens.values.flatMap { $0.id.bytes + $0.bytes }
            let sessions = all.sessions.values.flatMap { $0.name.bytes + $0.bytes }
            return sessions + others + tokens + all.owners.values.flatMap(\.bytes)
        }
    }

    func settle() {}
}

/// A state directory.
final class FilePlace: StorePlace {
    private let directory: TemporaryDirectory
    /// The stores that were opened.
    var opened: [FileStore] { stores.withLock(\.self) }
    private let stores = Mutex<[FileStore]>([])

    init() throws {
        directory = try TemporaryDirectory()
    }

    func open(_ options: StoreOptions) throws -> AnyStore {
        Vault(in: try openFiles(options), options)
    }

    func openFiles(_ options: StoreOptions) throws -> FileStore {
        let files = try FileStore(directory: directory.path("store"), lockPatience: options.lockPatience)
        stores.withLock { $0.append(files) }
        return files
    }

    private func files(_ part: String) throws -> [URL] {
        let root = directory.path("store/" + part)
        return try FileManager.default.subpathsOfDirectory(atPath: root)
            .map { URL(fileURLWithPath: root + "/" + $0) }
            .filter { try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true }
    }

    func records() throws -> [[UInt8]] {
        try files("sessions").map { try [UInt8](Data(contentsOf: $0)) }
    }

    func rewrite(_ change: ([UInt8]) -> [UInt8]) throws {
        for file in try files("sessions") { try Data(change([UInt8](Data(contentsOf: file)))).write(to: file) }
    }

    func lastUse() throws -> Date? {
        guard let path = try files("sessions").first?.path else { return nil }
        return try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }

    func counts() throws -> (spent: Int, kept: Int) {
        try (files("spent").count, files("kept").count)
    }

    func content() throws -> [UInt8] {
        let files = try ["sessions", "spent", "kept", "tokens"].flatMap(files)
        return try files.flatMap { try Array($0.path.utf8) + [UInt8](Data(contentsOf: $0)) }
    }

    func settle() {}
}

/// A database of the test's own, on the server that all tests share or on another one.
final class DatabasePlace: StorePlace {
    /// The address of the database, to which a test can add options.
    let address: String
    let target: DatabaseTarget
    let client: DatabaseClient
    /// The stores that were opened.
    var opened: [PostgreSQLStore] { stores.withLock(\.self) }
    private let stores = Mutex<[PostgreSQLStore]>([])

    convenience init() async throws {
        try await self.init(on: PostgreSQLServer.shared.value)
    }

    init(on server: PostgreSQLServer) async throws {
        let name = "test_\(UInt64.random(in: 0 ... .max))"
        let superuser = try DatabaseClient(#require(DatabaseTarget(server.target("postgres"))))
        _ = try await superuser.write(Statement("CREATE DATABASE \(name)"))
        await superuser.shutdown()
        address = server.target(name)
        target = try #require(DatabaseTarget(address))
        client = try DatabaseClient(target, limits: .patient)
        #expect(try await Schema.migrate(client) == 0)
    }

    func open(_ options: StoreOptions) throws -> AnyStore {
        Vault(in: try openDatabase(options), options)
    }

    func openDatabase(_ options: StoreOptions) throws -> PostgreSQLStore {
        let database = PostgreSQLStore(
            try DatabaseClient(target, limits: .patient),
            lockPatience: options.lockPatience,
            issuers: .test
        )
        stores.withLock { $0.append(database) }
        return database
    }

    func records() async throws -> [[UInt8]] {
        let rows = try await client.read(Statement("SELECT record FROM linkedin_signin.session"))[0]
        return (0..<rows.count).compactMap { rows.bytes(0, row: $0) }
    }

    func rewrite(_ change: ([UInt8]) -> [UInt8]) async throws {
        let rows = try await client.read(Statement("SELECT id, record FROM linkedin_signin.session"))[0]
        for row in 0..<rows.count {
            let (id, record) = try (#require(rows.bytes(0, row: row)), #require(rows.bytes(1, row: row)))
            let statement = Statement(
                "UPDATE linkedin_signin.session SET record = $2 WHERE id = $1",
                .bytes(id),
                .bytes(change(record))
            )
            _ = try await client.write(statement)
        }
    }

    func lastUse() async throws -> Date? {
        try await client.read(Statement("SELECT used FROM linkedin_signin.session"))[0].time(0)
    }

    func counts() async throws -> (spent: Int, kept: Int) {
        let rows = try await client.read(
            Statement("SELECT count(*) FROM linkedin_signin.spent"),
            Statement("SELECT count(*) FROM linkedin_signin.kept")
        )
        return (Int(rows[0].integer(0) ?? -1), Int(rows[1].integer(0) ?? -1))
    }

    func content() async throws -> [UInt8] {
        let rows = try await client.read(
            Statement("SELECT id || member || record FROM linkedin_signin.session"),
            Statement("SELECT id FROM linkedin_signin.spent"),
            Statement("SELECT id || record FROM linkedin_signin.kept"),
            Statement("SELECT id || member || record FROM linkedin_signin.token"),
            Statement("SELECT member || record FROM linkedin_signin.token_owner")
        )
        return rows.flatMap { rows in (0..<rows.count).flatMap { rows.bytes(0, row: $0) ?? [] } }
    }

    func settle() async {
        for store in opened { await store.writeLastUses() }
    }
}

extension DatabaseLimits {
    /// For tests of what a store does, which must not fail on a machine that pauses for some seconds.
    fileprivate static var patient: DatabaseLimits {
        var limits = DatabaseLimits()
        limits.connect = .seconds(30)
        limits.answer = .seconds(30)
        limits.commit = .seconds(30)
        limits.acknowledgement = .seconds(30)
        limits.queue = .seconds(30)
        return limits
    }
}
