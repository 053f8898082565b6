import Dispatch
import Foundation
import Glibc
import PostgreSQLStore
import Sessions
import TestSupport
import Testing

/// Connections that come and go, and servers that do not answer.
@Suite(.timeLimit(.minutes(2))) struct DatabaseClientTests {
    private func limits() -> DatabaseLimits {
        var limits = DatabaseLimits()
        limits.connect = .milliseconds(300)
        limits.answer = .milliseconds(300)
        return limits
    }

    private func client(_ target: String) throws -> DatabaseClient {
        try DatabaseClient(#require(DatabaseTarget(target)), limits: limits())
    }

    /// A client that has reached its server: on a busy machine, the first connection may take longer than the limit.
    private func connectedClient(_ target: String) async throws -> DatabaseClient {
        let client = try client(target)
        while await isReachable(client) == false {}
        return client
    }

    private func path(_ client: DatabaseClient) async throws -> String? {
        try await client.read(Statement("SELECT current_setting('unix_socket_directories')"))[0].text(0)
    }

    private func isReachable(_ client: DatabaseClient) async -> Bool {
        do throws(StoreError) {
            _ = try await client.read(Statement("SELECT 1"))
            return true
        } catch {
            #expect(error.code == .unreachable)
            return false
        }
    }

    @Test func `values come back as they were sent`() async throws {
        let client = try await connectedClient(PostgreSQLServer.shared.value.target("postgres"))
        let bytes = (0...255).map { UInt8($0) }
        let time = Date(timeIntervalSince1970: 1_767_225_600.125)
        let rows = try await client.read(
            Statement("SELECT $1, $2, $3, $4, $5", .bytes(bytes), .bytes([]), .integer(-7), .time(time), .text("Zoë")),
            Statement("SELECT NULL::bytea"),
            Statement("SELECT unnest($1)", .byteArrays([[1], [], [2, 3]])),
            Statement("SELECT true, 5::smallint, -2::integer")
        )
        #expect(rows[0].bytes(0) == bytes)
        #expect(rows[0].bytes(1) == [])
        #expect(rows[0].integer(2) == -7)
        #expect(rows[0].time(3) == time)
        #expect(rows[0].text(4) == "Zoë")
        #expect(rows[1].count == 1 && rows[1].bytes(0) == nil)
        #expect((0..<rows[2].count).map { rows[2].bytes(0, row: $0) } == [[1], [], [2, 3]])
        #expect(rows[3].bool(0) == true && rows[3].integer(1) == 5 && rows[3].integer(2) == -2)
    }

    @Test func `a statement that fails undoes its call, and costs no other call`() async throws {
        let place = try await DatabasePlace()
        let good = Statement("INSERT INTO linkedin_signin.spent VALUES ('\\x01', now())")
        await #expect(throws: StoreError.self) {
            try await place.client.write(good, Statement("SELECT 1 / 0"), Statement("SELECT 1"))
        }
        #expect(try await place.counts().spent == 0)
        _ = try await place.client.write(good)
        #expect(try await place.counts().spent == 1)
    }

    @Test func `a thousand calls at once are all answered, each with its own answer`() async throws {
        let client = try await connectedClient(PostgreSQLServer.shared.value.target("postgres"))
        let matches = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<1_000 as Range<Int64> {
                group.addTask {
                    try await client.read(Statement("SELECT $1", .integer(number)))[0].integer(0) == number
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(matches == 1_000)
    }

    @Test func `a server that is stopped fails calls at once, and is used again within two seconds of its start`()
        async throws
    {
        let server = try PostgreSQLServer(settings: ["fsync=off"])
        let client = try await connectedClient(server.target("postgres"))
        server.stop()
        while await isReachable(client) {}
        let start = ContinuousClock.now
        for _ in 0..<100 { #expect(await isReachable(client) == false) }
        #expect(ContinuousClock.now - start < .seconds(1))
        try server.start()
        let restart = ContinuousClock.now
        while await isReachable(client) == false {}
        #expect(ContinuousClock.now - restart < .seconds(2))
    }

    @Test func `a connection that does not answer is given up, and others go on`() async throws {
        let client = try await connectedClient(PostgreSQLServer.shared.value.target("postgres"))
        let backend = try #require(try await client.read(Statement("SELECT pg_backend_pid()"))[0].integer(0))
        // Only when the other connection is open as well does a call have another way.
        var others: Set<Int64> = [backend]
        while others.count < 2 {
            try await withThrowingTaskGroup(of: Int64?.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await client.read(Statement("SELECT pg_backend_pid()"))[0].integer(0) }
                }
                for try await other in group { if let other { others.insert(other) } }
            }
        }
        #expect(kill(Int32(backend), SIGSTOP) == 0)
        defer { kill(Int32(backend), SIGCONT) }
        let results = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<2 { group.addTask { await isReachable(client) } }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(results.sorted { !$0 && $1 } == [false, true])
        #expect(await isReachable(client))
    }

    /// Whether each of several concurrent look-ups found its session, in the order of the answers, while the connection
    /// that is used first hangs.
    private func lookUpsBesideHungConnection(_ count: Int, _ limits: DatabaseLimits) async throws -> [Bool] {
        let place = try await DatabasePlace()
        let client = try DatabaseClient(place.target, limits: limits)
        let store = PostgreSQLStore(client)
        let ticket = try await store.sessions.create(.example(), now: .testStart)
        // Calls and look-ups use the first connection that is free.
        let backend = try #require(try await client.read(Statement("SELECT pg_backend_pid()"))[0].integer(0))
        while client.figures.connections < 5 { await Task.yield() }
        #expect(kill(Int32(backend), SIGSTOP) == 0)
        defer { kill(Int32(backend), SIGCONT) }
        return await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    await (try? store.sessions.check(ticket, withTokens: true, now: .testStart)) ?? nil != nil
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
    }

    @Test func `a look-up does not wait for one on a connection that does not answer`() async throws {
        var limits = DatabaseLimits()
        limits.lookUps = 1
        // The first look-up was sent to the connection that hangs.
        #expect(try await lookUpsBesideHungConnection(2, limits) == [true, false])
    }

    @Test func `many waiting look-ups are sent at once, although another connection does not answer yet`() async throws
    {
        var limits = DatabaseLimits()
        limits.lookUps = 2
        limits.crowd = 2
        limits.crowdPatience = .seconds(600)
        let results = try await lookUpsBesideHungConnection(5, limits)
        // One or two look-ups were sent to the connection that hangs.
        #expect(results.prefix(2) == [true, true])
        #expect(results.contains(false))
    }

    @Test func `more connections write while all wait for the disk, unless the server acknowledges nothing`()
        async throws
    {
        let server = try PostgreSQLServer(settings: ["fsync=off"])
        let client = try DatabaseClient(#require(DatabaseTarget(server.target("postgres"))))
        func connections() async throws -> Int64 {
            let count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'linkedin-signin'"
            return try #require(try await client.read(Statement(count))[0].integer(0))
        }
        func write(_ statement: String, tasks: Int, times: Int) async {
            await withTaskGroup { group in
                for _ in 0..<tasks {
                    group.addTask { for _ in 0..<times { _ = try? await client.write(Statement(statement)) } }
                }
            }
        }
        while try await connections() < 5 {}
        // Both connections for writes are busy, and nothing was acknowledged before.
        await write("SELECT pg_sleep(0.2)", tasks: 2, times: 1)
        #expect(try await connections() == 5)
        await write("SELECT pg_sleep(0.01)", tasks: 16, times: 30)
        #expect(try await connections() == 11)
    }

    @Test func `a host that hangs and a host that takes no writes are passed over`() async throws {
        let hanging = try PostgreSQLServer()
        hanging.signal(SIGSTOP)
        defer { hanging.signal(SIGCONT) }
        let readOnly = try PostgreSQLServer(settings: ["default_transaction_read_only=on"])
        let good = try await PostgreSQLServer.shared.value
        let hosts = ["/nowhere", hanging.path, readOnly.path, good.path]
        let client = try client("host=\(hosts.joined(separator: ",")) user=postgres dbname=postgres")
        #expect(try await path(client) == good.path)
        let escaped = hosts.map { $0.split(separator: "/").map { "%2F" + $0 }.joined() }.joined(separator: ",")
        #expect(try await path(self.client("postgresql://postgres@\(escaped)/postgres")) == good.path)
        let alone = try self.client(readOnly.target("postgres"))
        #expect(await isReachable(alone) == false)
    }

    @Test func `a name server that does not answer delays no call to another host`() async throws {
        let good = try await PostgreSQLServer.shared.value
        let (isOver, name) = (DispatchSemaphore(value: 0), "db.example")
        defer { isOver.signal() }
        let target = try #require(DatabaseTarget("host=\(name),\(good.path) user=postgres dbname=postgres"))
        let client = try DatabaseClient(
            target,
            limits: limits(),
            lookUp: { _ in
                isOver.wait()
                return .success([])
            }
        )
        let start = ContinuousClock.now
        #expect(try await path(client) == good.path)
        #expect(ContinuousClock.now - start < .seconds(1))
        // The connections that still wait for the name do not stop those that are open.
        for _ in 0..<100 { #expect(await isReachable(client)) }
    }

    @Test func `all addresses of a host are tried`() async throws {
        let target = try #require(DatabaseTarget("host=db.example port=1 user=postgres dbname=postgres"))
        let client = try DatabaseClient(
            target,
            limits: limits(),
            lookUp: { _ in .success(["127.0.0.1", "127.0.0.2"]) }
        )
        do throws(StoreError) {
            _ = try await client.read(Statement("SELECT 1"))
            Issue.record("no server listens at these addresses")
        } catch {
            #expect(error.code == .unreachable)
            // The last one that was tried.
            #expect(error.detail.contains("127.0.0.2"))
        }
    }

    @Test func `a name that is unknown is named, and the next host is used`() async throws {
        let good = try await PostgreSQLServer.shared.value
        let client = try client("host=nowhere.invalid,\(good.path) user=postgres dbname=postgres")
        #expect(try await path(client) == good.path)
        let alone = try self.client("host=nowhere.invalid user=postgres dbname=postgres")
        do throws(StoreError) {
            _ = try await alone.read(Statement("SELECT 1"))
            Issue.record("the name must not exist")
        } catch {
            #expect(error.detail.contains("could not look up the host nowhere.invalid"))
        }
    }

    @Test func `a connection string prints without its password, and nonsense is none`() throws {
        let target = try #require(
            DatabaseTarget("postgresql://site:pass-canary@db1:6432,db2/signin?sslmode=verify-full", password: "canary")
        )
        #expect(target.description == "database signin on db1, db2")
        #expect(!String(reflecting: target).contains("canary"))
        for text in ["postgresql://a:b@[", "host", "nonsense=1", "host=a,b port=1,2,3"] {
            #expect(DatabaseTarget(text) == nil)
        }
    }
}
