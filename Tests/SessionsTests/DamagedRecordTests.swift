import Foundation
import Glibc
import Sessions
import TestSupport
import Testing

/// Anything that is in place of a record affects only that session.
@Suite(.timeLimit(.minutes(1))) struct DamagedRecordTests {
    let directory: StoreDirectory
    var store: SessionVault { directory.store }

    init() throws {
        directory = try StoreDirectory()
    }

    /// Damages a record, and expects that its session is gone while everything else works.
    private func expectLoss(
        _ what: String,
        _ damage: (String) throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let (ticket, path) = try await directory.record()
        let other = try await store.create(.example(), now: .testStart)
        try damage(path)
        let comment = Comment(rawValue: what)
        #expect(try await store.session(for: ticket, now: .testStart) == nil, comment, sourceLocation: sourceLocation)
        let updated = try await store.update(ticket, now: .testStart) { $0.profile = nil }
        #expect(updated == nil, comment, sourceLocation: sourceLocation)
        #expect(try await store.session(for: other, now: .testStart) != nil, comment, sourceLocation: sourceLocation)
        for shard in 0..<RecordName.shardCount { _ = try await store.sweep(shard: shard, now: .testStart) }
        #expect(try await store.session(for: other, now: .testStart) != nil, comment, sourceLocation: sourceLocation)
        _ = try await store.create(.example(), now: .testStart)
    }

    private func rewrite(_ path: String, _ change: (inout Data) -> Void) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        change(&data)
        try data.write(to: URL(fileURLWithPath: path))
    }

    @Test func `none of a thousand changed records is accepted`() async throws {
        let session = Session.example()
        let (ticket, path) = try await directory.record(session)
        let url = URL(fileURLWithPath: path)
        let original = try Data(contentsOf: url)
        for _ in 0..<1_000 {
            var mutant = original
            for _ in 0..<Int.random(in: 1...4) {
                let index = Int.random(in: 0..<mutant.count)
                switch Int.random(in: 0..<4) {
                case 0: mutant[index] ^= 1 << UInt8.random(in: 0..<8)
                case 1: mutant[index] = .random(in: 0...255)
                case 2: mutant.insert(.random(in: 0...255), at: index)
                default: mutant.remove(at: index)
                }
            }
            try mutant.write(to: url)
            let found = try await store.session(for: ticket, now: .testStart)
            #expect(mutant == original ? found == session : found == nil)
        }
        try original.write(to: url)
        #expect(try await store.session(for: ticket, now: .testStart) == session)
    }

    @Test func `a truncated record is not a session`() async throws {
        let (ticket, path) = try await directory.record()
        let original = try Data(contentsOf: URL(fileURLWithPath: path))
        for count in 0..<original.count {
            try original.prefix(count).write(to: URL(fileURLWithPath: path))
            #expect(try await store.session(for: ticket, now: .testStart) == nil)
        }
    }

    @Test func `empty, foreign, lengthened and enormous files are not sessions`() async throws {
        try await expectLoss("empty") { path in try rewrite(path) { $0 = Data() } }
        try await expectLoss("foreign") { path in try rewrite(path) { $0 = Data("{\"sub\":\"782bbtaQ\"}".utf8) } }
        try await expectLoss("lengthened") { path in try rewrite(path) { $0.append(0) } }
        try await expectLoss("enormous") { path in try rewrite(path) { $0.append(Data(count: 1 << 20)) } }
        try await expectLoss("zeros") { path in try rewrite(path) { $0 = Data(count: $0.count) } }
    }

    @Test func `a record under the name of another session is not a session`() async throws {
        let (_, source) = try await directory.record()
        try await expectLoss("swapped") { path in
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.copyItem(atPath: source, toPath: path)
        }
    }

    @Test func `links, FIFOs, devices and directories are not sessions and block nobody`() async throws {
        let (_, genuine) = try await directory.record()
        try await expectLoss("symbolic link") { path in
            try FileManager.default.moveItem(atPath: path, toPath: genuine + ".moved")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: genuine + ".moved")
            try FileManager.default.removeItem(atPath: genuine + ".moved")
        }
        try await expectLoss("FIFO") { path in
            try FileManager.default.removeItem(atPath: path)
            // unsafe because the string is passed as a C string, which the call only reads.
            #expect(unsafe mkfifo(path, 0o600) == 0)
        }
        try await expectLoss("directory") { path in
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        try await expectLoss("device") { path in
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
        }
    }

    @Test func `a symbolic link to the session's own record is not followed`() async throws {
        let (ticket, path) = try await directory.record()
        try FileManager.default.moveItem(atPath: path, toPath: path + "-moved")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + "-moved")
        #expect(try await store.session(for: ticket, now: .testStart) == nil)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + "-moved", toPath: path)
        #expect(try await store.session(for: ticket, now: .testStart) != nil)
    }

    @Test func `a record of a newer version is ignored and kept`() async throws {
        let (ticket, path) = try await directory.record()
        // The version follows the four letters at the beginning.
        try rewrite(path) { $0[5] += 3 }
        #expect(try await store.session(for: ticket, now: .testStart) == nil)
        let later = Date.testStart.addingTimeInterval(1e7)
        var counts = SweepCounts()
        for shard in 0..<RecordName.shardCount { counts += try await store.sweep(shard: shard, now: later) }
        #expect(counts.newer == 1)
        #expect(counts.expired + counts.idle == 0)
        #expect(FileManager.default.fileExists(atPath: path))
        // As if the newer program runs again.
        try rewrite(path) { $0[5] -= 3 }
        #expect(try await store.session(for: ticket, now: .testStart) != nil)
    }

    @Test func `a session too large for a record is rejected completely`() async throws {
        let (ticket, path) = try await directory.record()
        let original = try Data(contentsOf: URL(fileURLWithPath: path))
        let large = CachedProfile(content: Array(repeating: 7, count: 65_536), fetched: .testStart)
        await #expect(throws: StoreError.self) { try await store.create(.example(profile: large), now: .testStart) }
        await #expect(throws: StoreError.self) {
            try await store.update(ticket, now: .testStart) { $0.profile = large }
        }
        #expect(try directory.files() == [path])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == original)
        let fits = CachedProfile(content: Array(repeating: 7, count: 65_000), fetched: .testStart)
        let other = try await store.create(.example(profile: fits), now: .testStart)
        #expect(try await store.session(for: other, now: .testStart)?.profile == fits)
    }
}
