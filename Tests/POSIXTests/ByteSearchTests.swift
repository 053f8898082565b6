import POSIX
import Testing

struct ByteSearchTests {
    @Test(
        arguments: [
            ([], nil), ([7], 0), ([1], nil), ([1, 7, 7], 1), ([0, 0, 7], 2),
            ([UInt8](repeating: 1, count: 1000) + [7], 1000),
        ] as [([UInt8], Int?)]
    )
    func `the first of equal bytes is found`(bytes: [UInt8], index: Int?) {
        #expect(bytes.span.firstIndex(of: 7) == index)
    }

    @Test func `a search ends with its span`() {
        let bytes: [UInt8] = [1, 2, 3, 7]
        #expect(bytes.span.extracting(first: 3).firstIndex(of: 7) == nil)
        #expect(bytes.span.extracting(1...).firstIndex(of: 7) == 2)
        #expect(bytes.span.extracting(4...).firstIndex(of: 7) == nil)
    }
}
