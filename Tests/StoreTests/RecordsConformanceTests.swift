import Foundation
import PostgreSQLStore
import Sessions
import TestSupport
import Testing

/// What every place for records promises: files, PostgreSQL, and memory.
@Suite(.timeLimit(.minutes(2))) struct RecordsConformanceTests {
    enum Place: String, CaseIterable, CustomTestStringConvertible {
        case memory, files, postgreSQL

        var testDescription: String { rawValue }
    }

    private let now = Date.testStart

    private func after(_ seconds: Double) -> Date { now.addingTimeInterval(seconds) }

    private func name(_ number: Int) -> RecordName {
        RecordName(hash: (0..<16).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) })
    }

    /// What two processes or machines use at one place.
    private struct Shared: Sendable {
        /// Nil for memory; a directory is removed with it.
        let place: (any StorePlace)?
        let records: [any Records]

        init(_ place: Place) async throws {
            switch place {
            case .memory: (self.place, records) = (nil, Array(repeating: MemoryRecords(), count: 2))
            case .files:
                let place = try FilePlace()
                records = try (0..<2).map { _ in try place.openFiles(StoreOptions()).records }
                self.place = place
            case .postgreSQL:
                let place = try await DatabasePlace()
                records = try (0..<2).map { _ in try place.openDatabase(StoreOptions()).records }
                self.place = place
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `a record that was put is there for everybody, with its bytes`(_ place: Place) async throws {
        let shared = try await Shared(place)
        let records = shared.records
        defer { withExtendedLifetime(shared) {} }
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        #expect(try await records[0].put(bytes, .form, name(1), ends: after(60)))
        #expect(try await records[0].put([], .state, name(1), ends: after(60)))
        for records in records {
            #expect(try await records.get(.form, name(1)) == bytes)
            #expect(try await records.get(.state, name(1)) == [])
            #expect(try await records.get(.form, name(2)) == nil)
            #expect(try await records.get(.state, name(2)) == nil)
        }
    }

    @Test(arguments: Place.allCases, [RecordKind.form, .state])
    func `of 64 who put a record under one name, one does, and its bytes stay`(
        _ place: Place,
        _ kind: RecordKind
    ) async throws {
        let shared = try await Shared(place)
        let records = shared.records
        defer { withExtendedLifetime(shared) {} }
        for round in 0..<5 {
            let winners = try await withThrowingTaskGroup(of: UInt8?.self) { group in
                for number in 0..<64 as Range<UInt8> {
                    group.addTask {
                        let bytes = kind == .form ? [number] : []
                        let records = records[Int(number) % 2]
                        return try await records.put(bytes, kind, name(round), ends: after(60)) ? number : nil
                    }
                }
                return try await group.reduce(into: [UInt8]()) { if let number = $1 { $0.append(number) } }
            }
            #expect(winners.count == 1)
            #expect(try await records[0].get(kind, name(round)) == (kind == .form ? winners : []))
        }
    }

    @Test(arguments: Place.allCases, [RecordKind.form, .state])
    func `of 64 who take a record, one has it, and its name is free`(_ place: Place, _ kind: RecordKind) async throws {
        let shared = try await Shared(place)
        let records = shared.records
        defer { withExtendedLifetime(shared) {} }
        let bytes: [UInt8] = kind == .form ? [1, 2, 3] : []
        #expect(try await records[0].take(kind, name(1)) == nil)
        for _ in 0..<5 {
            #expect(try await records[1].put(bytes, kind, name(1), ends: after(60)))
            let taken = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
                for number in 0..<64 {
                    group.addTask { try await records[number % 2].take(kind, name(1)) }
                }
                return try await group.reduce(into: [[UInt8]]()) { if let bytes = $1 { $0.append(bytes) } }
            }
            #expect(taken == [bytes])
            #expect(try await records[1].get(kind, name(1)) == nil)
        }
    }

    @Test(arguments: Place.allCases, [RecordKind.form, .state])
    func `a sweep removes what has ended, of its kind only`(_ place: Place, _ kind: RecordKind) async throws {
        let shared = try await Shared(place)
        let records = shared.records
        defer { withExtendedLifetime(shared) {} }
        let bytes: [UInt8] = kind == .form ? [1] : []
        let other: RecordKind = kind == .form ? .state : .form
        for number in 0..<20 {
            #expect(try await records[0].put(bytes, kind, name(number), ends: after(Double(number))))
        }
        #expect(try await records[0].put(kind == .form ? [] : [1], other, name(1), ends: after(1)))
        #expect(try await records[1].sweep(kind, now: after(-1)) == (0, 20))
        #expect(try await records[1].sweep(kind, now: after(9)) == (10, 10))
        #expect(try await records[0].get(kind, name(9)) == nil)
        #expect(try await records[0].get(kind, name(10)) == bytes)
        #expect(try await records[0].get(other, name(1)) != nil)
        #expect(try await records[0].sweep(kind, now: after(100)) == (10, 0))
    }

    @Test(arguments: Place.allCases)
    func `the forms are listed with their sizes and ends`(_ place: Place) async throws {
        let shared = try await Shared(place)
        let records = shared.records
        defer { withExtendedLifetime(shared) {} }
        #expect(try await records[0].forms().isEmpty)
        for number in 1...3 {
            let bytes = [UInt8](repeating: 1, count: number)
            #expect(try await records[0].put(bytes, .form, name(number), ends: after(Double(number))))
        }
        #expect(try await records[0].put([], .state, name(4), ends: now))
        let forms = try await records[1].forms().sorted { $0.byteCount < $1.byteCount }
        #expect(forms.map(\.name) == (1...3).map(name))
        #expect(forms.map(\.byteCount) == [1, 2, 3])
        #expect(forms.map(\.ends) == (1...3).map { after(Double($0)) })
    }
}
