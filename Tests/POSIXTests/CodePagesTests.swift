import POSIX
import Testing

/// Giving back the pages of the start.
struct CodePagesTests {
    @Test func `the code goes on working, with less resident memory`() throws {
        let before = try #require(ProcessFigures().residentMemory)
        for _ in 0..<3 { CodePages.release() }
        let after = try #require(ProcessFigures().residentMemory)
        #expect(after < before)
    }
}
