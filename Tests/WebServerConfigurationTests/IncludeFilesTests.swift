import Testing

@testable import Settings
@testable import WebServerConfiguration

struct IncludeFilesTests {
    private func front(_ url: String, locations: [String] = ["/private/"]) throws(ConfigurationError) -> FrontEnd {
        let sources = SettingSources(environment: ["SIGNIN_BASE_URL": url], file: nil, readSecret: { _ in "" })
        return try FrontEnd(sources, locations: locations, rules: ["member"])
    }

    @Test func `sites that differ have different names`() throws {
        let sites = [
            "https://example.com", "https://example.com:8443", "https://example.com/account",
            "https://example.com/8443", "https://a-b.example", "https://a.b.example", "https://a--b.example",
            "https://example.com/a/b", "https://example.com/a.b", "https://example.com/a-b", "https://example.com/a_b",
            "https://example.com/a__b", "https://example.com/A-b", "https://example.com/a/-b",
            "https://example.com/a-/b", "https://example.com/a.-b", "https://example.com/~a", "http://127.0.0.1:8080",
            "http://[::1]:8080", "http://localhost:8080",
            "https://intranet.example-company.com/a", "https://intranet.example-company.com/b",
            "https://the-same-long-name.example-company.com", "https://the-same-long-name.example-company.org",
        ]
        let names = try sites.map { SiteName(try front($0)) }
        #expect(Set(names.map(\.fileName)).count == sites.count)
        #expect(Set(names.map(\.identifier)).count == sites.count)
        #expect(names.allSatisfy { !$0.fileName.contains("/") && $0.identifier.count <= 31 })
        let isPlain: (Character) -> Bool = { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "_") }
        #expect(names.map(\.identifier).allSatisfy { $0.allSatisfy(isPlain) })
        #expect(names[0].identifier == "example_com" && names[4].identifier == "a__b_example")
        #expect(names[1].fileName == "example.com_8443" && names[2].fileName == "example.com+account")
    }

    @Test func `a file belongs to the site and the server that its first line names`() throws {
        let ours = try front("https://example.com").includeFiles(for: .nginx, in: "/d").files[0]
        let other = try front("https://example.org").includeFiles(for: .nginx, in: "/d").files[0]
        #expect(ours.isOwner(of: ours.text) && !ours.isOwner(of: other.text))
        #expect(ours.isOwner(of: "# Written by linkedin-signin print-config nginx for https://example.com\nolder"))
        #expect(!ours.isOwner(of: "# Written by linkedin-signin print-config nginx for https://example.com/account\n"))
        #expect(!ours.isOwner(of: "# Written by linkedin-signin print-config lighttpd for https://example.com\n"))
        #expect(!ours.isOwner(of: "") && !ours.isOwner(of: "\n" + ours.text))
    }

    @Test func `each guarded location has a file of its own`() throws {
        let locations = ["/", "/a/b/", "/a-b", "/a.b/", "/a/", "/guard/"]
        let front = try front("https://example.com", locations: locations)
        let files = try front.includeFiles(for: .nginx, in: nil)
        let guards = files.files.map(\.path).filter { $0.contains("-guard") }
        #expect(guards.count == locations.count && Set(guards).count == guards.count)
        let instructions = files.instructions(for: Set(guards), isChanged: true)
        for path in guards { #expect(instructions.contains("include \(path);")) }
    }

    @Test(arguments: ["d", "/a b", "/a;b", "/$d", "/a/../b", ""])
    func `a directory that a configuration cannot hold is rejected`(directory: String) throws {
        let front = try front("https://example.com")
        #expect(throws: ConfigurationError.self) { try front.includeFiles(for: .nginx, in: directory) }
    }
}

struct UnifiedDiffTests {
    private func diff(_ old: String?, _ new: String) -> String { UnifiedDiff(path: "/f", old: old, new: new).text }

    @Test func `equal contents have no difference`() {
        #expect(diff("a\nb\n", "a\nb\n").isEmpty)
    }

    @Test func `a new file is added line by line`() {
        #expect(diff(nil, "a\nb\n") == "--- /dev/null\n+++ /f\n@@ -0,0 +1,2 @@\n+a\n+b\n")
    }

    @Test func `a change is shown with three lines around it`() {
        let old = (1...20).map { "\($0)\n" }.joined()
        let new = old.replacing("\n10\n", with: "\nten\n")
        let body = " 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n"
        #expect(diff(old, new) == "--- /f\n+++ /f\n@@ -7,7 +7,7 @@\n" + body)
    }

    @Test func `changes that are far apart are shown apart, and near ones together`() {
        let old = (1...30).map { "\($0)\n" }.joined()
        let far = diff(old, old.replacing("\n2\n", with: "\n").replacing("\n29\n", with: "\n29\nnew\n"))
        #expect(far.contains("@@ -1,5 +1,4 @@") && far.contains("@@ -27,4 +26,5 @@"))
        let near = diff(old, old.replacing("\n5\n", with: "\n").replacing("\n11\n", with: "\n"))
        #expect(near.split(separator: "\n").count { $0.hasPrefix("@@") } == 1)
    }

    @Test func `a missing line break at the end is named`() {
        #expect(diff("a", "a\n").hasSuffix("-a\n\\ No newline at end of file\n+a\n"))
    }
}
