import Testing

@testable import Sessions

/// Records whose seals need not be opened again.
@Suite struct OpenedRecordsTests {
    private static let header = 30

    private func mark(_ number: UInt64, _ record: [UInt8] = [UInt8](0..<90)) -> OpenedRecords.Mark {
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return .init(RecordName(hash: bytes), record, headerCount: Self.header)
    }

    @Test func `a record is known after it was opened, and no other one is`() {
        let records = OpenedRecords(capacity: 1_024)
        #expect(!records.contains(mark(1)))
        records.add(mark(1))
        #expect(records.contains(mark(1)) && !records.contains(mark(2)))
    }

    @Test func `a record with another header, nonce or tag, one byte less or one byte more is not known`() {
        let records = OpenedRecords(capacity: 1_024)
        let record = [UInt8](0..<90)
        records.add(mark(1, record))
        let sealed = Self.header + SealedBytes.nonceCount..<record.count - SealedBytes.tagCount
        for index in record.indices {
            var other = record
            other[index] ^= 1
            #expect(records.contains(mark(1, other)) == sealed.contains(index))
        }
        #expect(!records.contains(mark(1, record.dropLast())) && !records.contains(mark(1, record + [0])))
        #expect(records.contains(mark(1, record)))
    }

    @Test func `nearly as many records are known as there are places`() {
        let records = OpenedRecords(capacity: 65_536)
        for number in 0..<50_000 { records.add(mark(UInt64(number))) }
        #expect((0..<50_000).count { records.contains(mark($0)) } > 45_000)
        #expect((50_000..<100_000).count { records.contains(mark($0)) } == 0)
    }

    @Test(arguments: [0, 1_024])
    func `no more records are known than there are places`(places: Int) {
        let records = OpenedRecords(capacity: places)
        for number in 0..<10_000 { records.add(mark(UInt64(number))) }
        #expect((0..<10_000).count { records.contains(mark($0)) } <= places)
        #expect(records.contains(mark(9_999)) == (places > 0))
    }
}
