import POSIX
import Testing

/// Giving back the pages of code that was used only once.
struct CodePagesTests {
    @Test func `the code goes on working, with less resident memory`() throws {
        let before = try #require(ProcessFigures().residentMemory)
        for _ in 0..<3 { CodePages.release() }
        let after = try #require(ProcessFigures().residentMemory)
        #expect(after < before)
    }

    @Test func `no page of an unused library stays resident`() throws {
        CodePages.release()
        let text = String(decoding: try ReadableFile("/proc/self/smaps").contents(limit: 8 << 20), as: UTF8.self)
        var libraries = 0
        var unused = 0
        var isHeader = false
        for line in text.split(separator: "\n") {
            // The first mapping of a library has its headers, which the loader describes.
            if line.contains(".so") { isHeader = line.contains(" r--p 00000000 ") }
            guard isHeader, line.hasPrefix("Rss:") else { continue }
            libraries += 1
            if line.hasSuffix(" 0 kB") { unused += 1 }
        }
        #expect(unused > libraries / 2, "\(unused) of \(libraries) libraries")
    }
}
