import Testing

@testable import Settings
@testable import WebServerConfiguration

struct FrontEndTests {
    private func front(
        _ settings: [String: String] = ["SIGNIN_BASE_URL": "https://example.com"],
        locations: [String] = [],
        rules: [String] = ["member"]
    ) throws(ConfigurationError) -> FrontEnd {
        let sources = SettingSources(environment: settings, file: nil, readSecret: { _ in "" })
        return try FrontEnd(sources, locations: locations, rules: rules)
    }

    @Test(arguments: WebServer.allCases)
    func `no character of a location or a rule leaves its place`(server: WebServer) throws {
        let plain = try front(locations: ["/axb/"], rules: ["subject=axb"]).configuration(of: server)
        var accepted = 0
        for character in (0..<0x180).compactMap(Unicode.Scalar.init) {
            for (location, rule) in [("/a\(character)b/", "subject=axb"), ("/axb/", "subject=a\(character)b")] {
                guard let front = try? front(locations: [location], rules: [rule]) else { continue }
                let text = front.configuration(of: server)
                accepted += 1
                #expect(text.replacing("a\(character)b", with: "axb") == plain)
                #expect(!"\"'\\$`{};".unicodeScalars.contains(character) && character.value >= 0x20)
            }
        }
        // Letters, digits and some signs; a space or a comma in a rule begin something new there.
        #expect((130...160).contains(accepted))
    }

    @Test func `without a location there is an example of one`() throws {
        #expect(try front().guarded == [.init(path: "/private/", rule: "member")])
        #expect(try front(locations: ["/a", "/b/"]).guarded.map(\.path) == ["/a", "/b/"])
    }

    @Test func `one rule is for all locations, and as many are one for each`() throws {
        let locations = ["/a", "/b/", "/c/"]
        let one = try front(locations: locations, rules: ["anyone"])
        #expect(one.guarded.map(\.rule) == ["anyone", "anyone", "anyone"])
        let rules = ["subject=X", "anyone", "member"]
        #expect(try front(locations: locations, rules: rules).guarded.map(\.rule) == rules)
        #expect(throws: ConfigurationError.self) { try front(rules: []) }
        #expect(throws: ConfigurationError.self) { try front(rules: ["subject=X", "member"]) }
        #expect(throws: ConfigurationError.self) { try front(locations: locations, rules: ["subject=X", "member"]) }
    }

    @Test(arguments: [
        ("/private/", ["/private/", "/private/a"], ["/private", "/privateer", "/Private/", "/"]),
        ("/private", ["/private", "/private/", "/private/a"], ["/privateer", "/private.txt", "/Private", "/"]),
        ("/", ["/", "/a", "/a/"], []),
    ])
    func `a location guards what it says`(path: String, guarded: [String], others: [String]) {
        let location = GuardedLocation(path: path, rule: "member")
        #expect(guarded.allSatisfy(location.guards) && !others.contains(where: location.guards))
    }

    @Test(arguments: ["", "/account"]) func `no route can be a location`(prefix: String) throws {
        let settings = ["SIGNIN_BASE_URL": "https://example.com" + prefix, "SIGNIN_PERSONAL_TOKENS": "90d"]
        for route in SitePath.allCases.map(\.rawValue) where route != "/" {
            #expect(throws: ConfigurationError.self) { try front(settings, locations: [prefix + route]) }
            #expect(try front(settings, locations: [prefix + route + "/"]).notes.isEmpty)
            #expect(try front(settings, locations: [prefix + route + "s"]).notes.isEmpty)
        }
        for location in Set(["/", prefix, prefix + "/"]) where !location.isEmpty {
            let notes = try front(settings, locations: [location]).notes
            #expect(notes.count == 1 && notes[0].contains(" \(prefix)/oauth "))
        }
    }

    @Test(arguments: [(nil, 75), ("1s", 21), ("2m", 735)])
    func `a server waits longer than the program waits for the provider`(timeout: String?, expected: Int) throws {
        var settings = ["SIGNIN_BASE_URL": "https://example.com", "SIGNIN_CONNECT_TIMEOUT": "1s"]
        settings["SIGNIN_TOTAL_TIMEOUT"] = timeout
        #expect(try front(settings).readTimeout == expected)
    }

    @Test(arguments: [("1024", 1024), ("64K", 65_536), ("1M", 65_536)])
    func `forms of the program may be as large as SIGNIN_MAX_BODY, and at most 64 KiB`(
        limit: String,
        expected: Int
    ) throws {
        let settings = ["SIGNIN_BASE_URL": "https://example.com", "SIGNIN_MAX_BODY": limit]
        #expect(try front(settings).ownBody == expected)
    }

    @Test func `sizes are written as people write them, and never smaller than they are`() {
        #expect(NginxParts.size(1_048_576) == "1m")
        #expect(NginxParts.size(65_536) == "64k")
        #expect(NginxParts.size(65_537) == "65537")
        #expect(LighttpdConfiguration.kilobytes(65_536) == 64)
        #expect(LighttpdConfiguration.kilobytes(65_537) == 65)
    }
}
