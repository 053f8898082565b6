import HTTP
import Sessions
import TestSupport
import Testing

import struct Foundation.Data
import struct Foundation.Date
import class Foundation.JSONSerialization

@testable import EventLog

struct LogEventTests {
    private func line(_ value: String, as format: LogFormat = .logfmt) -> String {
        LogEvent(.info, .swept, request: RequestID(10), reason: "r", fields: [("field", value)])
            .line(at: Date(timeIntervalSince1970: 0), as: format)
    }

    private func object(_ line: String) throws -> [String: any Sendable] {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(object as? [String: any Sendable])
    }

    @Test func `a line in JSON has the same names in the same order`() {
        let start = #"{"time":"1970-01-01T00:00:00Z","level":"info","event":"swept","request":"000000000000000a""#
        #expect(line("v", as: .json) == start + #","reason":"r","field":"v"}"#)
    }

    @Test(arguments: [
        "a\nlevel=error", "a\r\nb", "\u{1b}[31mred", "a\u{2028}b", "\u{202e}abc", "a\u{0}b", "a\u{7f}b", "a\"b\\c",
        "你 好 🙂", "\u{e0001}x", "\u{10ffff}", "}",
    ])
    func `a JSON reader gets the value back from a line without control or invisible characters`(value: String) throws {
        let line = line(value, as: .json)
        #expect(
            line.unicodeScalars.allSatisfy {
                ![.control, .format, .lineSeparator].contains($0.properties.generalCategory)
            }
        )
        #expect(try object(line)["field"] as? String == value)
    }

    @Test func `a count is a number in JSON, and a subject of digits is text`() throws {
        let fields: [LogEvent.Field] = [("subject", "42"), ("bytes", "42"), ("status", "007"), ("count", "-")]
        let line = LogEvent(.info, .swept, fields: fields).line(at: Date(timeIntervalSince1970: 0), as: .json)
        #expect(line.hasSuffix(#""event":"swept","subject":"42","bytes":42,"status":"007","count":"-"}"#))
    }

    @Test func `a long value is cut in JSON too`() throws {
        let line = line(String(repeating: "\"", count: 10_000), as: .json)
        #expect(line.utf8.count < 700)
        #expect(try object(line)["field"] as? String == String(repeating: "\"", count: 256))
    }

    @Test func `a log line contains the time in UTC, level, event, request, reason and fields`() {
        #expect(
            line("v") == "time=1970-01-01T00:00:00Z level=info event=swept request=000000000000000a reason=r field=v"
        )
    }

    @Test func `a log line about a request contains the subject and the client address before other fields`() {
        let request = Request(id: RequestID(10), remoteAddress: "192.0.2.7")
        let fields: [LogEvent.Field] = [("detail", "d")]
        let time = Date(timeIntervalSince1970: 0)
        let start = "time=1970-01-01T00:00:00Z level=info event=swept request=000000000000000a"
        let member = Member(provider: .linkedIn, subject: "s", issuer: "i")
        let whole = LogEvent(.info, .swept, of: request, reason: "r", member: member, fields: fields)
        #expect(whole.line(at: time) == start + " reason=r subject=s remote=192.0.2.7 detail=d")
        #expect(LogEvent(.info, .swept, of: request).line(at: time) == start + " remote=192.0.2.7")
    }

    @Test(arguments: [
        "a\nlevel=error event=forged", "a\r\nb", "\u{1b}[31mred", "a\u{2028}b", "a\u{85}b", "\u{202e}abc", "a\u{0}b",
        "a\u{7f}b", "tab\tbed", "\u{200b}",
    ])
    func `a value cannot start a new log line or send control characters to the terminal`(value: String) {
        let line = line(value)
        #expect(
            line.unicodeScalars.allSatisfy {
                ![.control, .format, .lineSeparator].contains($0.properties.generalCategory)
            }
        )
        #expect(line.contains("\\u{"))
    }

    @Test func `a value with spaces, quotes or an equals sign is quoted, so that it cannot look like a field`() {
        #expect(line("a level=error").hasSuffix(#"field="a level=error""#))
        #expect(line(#"a"b\c"#).hasSuffix(#"field="a\"b\\c""#))
        #expect(line("你 好").hasSuffix("field=\"你 好\""))
    }

    @Test func `a long value is cut`() {
        #expect(line(String(repeating: "a", count: 10_000)).utf8.count < 400)
    }

    @Test func `events below the minimum level are dropped`() {
        let lines = Lines()
        let log = Log(least: .warning) { lines.append($0) }
        log(LogEvent(.info, .signedIn))
        log(LogEvent(.error, .signInFailed))
        #expect(lines.names == ["sign-in-failed"])
    }
}
