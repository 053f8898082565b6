import Testing

@testable import Settings

struct SettingsFileTests {
    @Test func `comments, blank lines and white space around names and values are ignored`() {
        let file = SettingsFile(path: "f", content: "# a\n; b\n\n  A = 1 \n\tB=2\r\nC=\n")
        #expect(file.values == ["A": "1", "B": "2", "C": ""])
        #expect(file.problems.isEmpty)
    }

    @Test func `single and double quotes around a value are removed and the text inside is kept`() {
        let file = SettingsFile(path: "f", content: "A=\" x # y \"\nB='\"'\nC=a=b#c")
        #expect(file.values == ["A": " x # y ", "B": "\"", "C": "a=b#c"])
    }

    @Test(arguments: ["A", "=1", "A=\"x", "A='"])
    func `a line that is not a setting is reported with its number`(line: String) throws {
        let file = SettingsFile(path: "f", content: "X=1\n" + line)
        #expect(file.values == ["X": "1"])
        #expect(try #require(file.problems.first).place == "f:2")
    }

    @Test func `a byte order mark is reported and does not hide the first setting`() {
        let file = SettingsFile(path: "f", content: "\u{FEFF}A=1")
        #expect(file.values == ["A": "1"])
        #expect(file.problems.map(\.place) == ["f:1"])
    }

    @Test func `a name that is set twice is reported and keeps its first value`() {
        let file = SettingsFile(path: "f", content: "A=1\nA=2")
        #expect(file.values == ["A": "1"])
        #expect(file.problems.count == 1)
        let empty = SettingsFile(path: "f", content: "A=\nA=2")
        #expect(empty.values == ["A": ""])
        #expect(empty.problems.map(\.place) == ["f:2"])
    }
}
