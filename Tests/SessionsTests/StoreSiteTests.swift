import Foundation
import Sessions
import TestSupport
import Testing

/// The base URL that a state directory remembers.
struct StoreSiteTests {
    private let directory: TemporaryDirectory
    private var site: StoreSite { StoreSite(directory: directory.path("state")) }
    private var file: String { directory.path("state/base-url") }

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.path("state"), withIntermediateDirectories: false)
    }

    @Test func `the first claim is remembered, and a second one changes nothing`() throws {
        #expect(try site.read() == nil)
        #expect(try site.claim("https://example.com"))
        #expect(try !site.claim("https://example.org"))
        #expect(try site.read() == "https://example.com")
    }

    @Test func `a change replaces the base URL and leaves no other file`() throws {
        try site.change(to: "https://example.com")
        try site.change(to: "https://example.org/account")
        #expect(try site.read() == "https://example.org/account")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path("state")) == ["base-url"])
    }

    @Test func `a directory that does not exist yet remembers none`() throws {
        #expect(try StoreSite(directory: directory.path("none")).read() == nil)
    }

    @Test(arguments: ["", "\n", "https://example.com https://example.org\n", "\u{ff}"])
    func `a file that is no base URL is damaged, and the command that repairs it is named`(text: String) throws {
        let bytes = text == "\u{ff}" ? Data([0xff]) : Data(text.utf8)
        try bytes.write(to: URL(fileURLWithPath: file))
        let error = try #require(throws: StoreError.self) { try site.read() }
        #expect(error.code == .damaged && error.detail.contains("run: rm \(file)"))
    }

    @Test func `a link or a folder of that name is not followed`() throws {
        try Data("https://example.org\n".utf8).write(to: URL(fileURLWithPath: directory.path("elsewhere")))
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: directory.path("elsewhere"))
        #expect(throws: StoreError.self) { try site.read() }
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        #expect(throws: StoreError.self) { try site.read() }
    }
}
