import Settings
import Testing

@testable import WebServerConfiguration

struct VerdictLifeTests {
    private func front(life: String?, idle: String? = nil) throws(ConfigurationError) -> FrontEnd {
        var settings = ["SIGNIN_BASE_URL": "https://example.com"]
        settings["SIGNIN_IDLE_LIMIT"] = idle
        let sources = SettingSources(environment: settings, file: nil, readSecret: { _ in "" })
        return try FrontEnd(sources, locations: [], rules: ["member"], verdictLife: life)
    }

    @Test(arguments: ["", "0s", "1", "3s", "11s", "1m", " 1s", "1s;"])
    func `verdicts are kept for 1, 2, 5 or 10 seconds only`(text: String) throws {
        #expect(throws: ConfigurationError.self) { try front(life: text) }
        #expect(try front(life: nil).verdictLife == nil)
        for (known, seconds) in [("1s", 1), ("2s", 2), ("5s", 5), ("10s", 10)] {
            #expect(try front(life: known).verdictLife?.seconds == seconds)
        }
    }

    @Test(arguments: [("1s", "60s", true), ("5s", "99s", false), ("5s", "100s", true), ("10s", "3m", false)])
    func `verdicts end long before an idle session`(life: String, idle: String, isAccepted: Bool) {
        do throws(ConfigurationError) {
            _ = try front(life: life, idle: idle)
            #expect(isAccepted)
        } catch {
            #expect(!isAccepted && error.description.contains("SIGNIN_IDLE_LIMIT"))
        }
    }

    @Test func `a period of a second is the second itself`() throws {
        let life = try #require(try front(life: "1s").verdictLife)
        #expect(life.clock == "\"\"" && life.periods(after: "a;") == [#"default "a;$time_iso8601";"#])
    }

    @Test(arguments: ["2s", "5s", "10s"])
    func `each second is in one period, and a period has as many seconds as verdicts are kept`(text: String) throws {
        let life = try #require(try front(life: text).verdictLife)
        #expect(life.clock == "$msec")
        var periods: [String: Int] = [:]
        for second in 1_000...1_099 {
            let matches = try life.periods(after: "").compactMap { line in
                let words = line.dropLast().split(separator: " ").map { String($0.dropFirst().dropLast()) }
                let pattern = try Regex(String(words[0].dropFirst()))
                return "\(second).123".firstMatch(of: pattern).map { match in
                    words[1].replacing("$1", with: match.output[1].substring ?? "")
                }
            }
            #expect(matches.count == 1)
            for match in matches { periods[match, default: 0] += 1 }
        }
        #expect(Set(periods.values) == [life.seconds] && periods.count == 100 / life.seconds)
    }

    @Test func `every location of linkedin-signin has one line about the cache`() throws {
        for life in [nil, "1s"] {
            let files = try front(life: life).includeFiles(for: .nginx, in: "/d").files
            let shared = try #require(files.first { $0.path.hasSuffix("-parameters.conf") }).text
            let blocks = files.map(\.text).joined().split(separator: "\nlocation ")
            let places = blocks.filter { $0.contains("-parameters.conf;") }
            #expect(places.count > 9)
            for place in places {
                let lines = "\(place)\n\(shared)".split(separator: "\n").map { $0.drop { $0 == " " } }
                #expect(lines.count { $0.hasPrefix("fastcgi_cache ") } == 1, "\(place)")
            }
        }
    }
}
