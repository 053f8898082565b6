import Testing

@testable import Settings

/// The lines of units as systemd.unit(5) and systemd.syntax(7) define them.
struct SystemdUnitTests {
    private func unit(_ texts: String..., named name: String = "linkedin-signin@example.org.service") -> SystemdUnit {
        SystemdUnit(name, texts: texts)
    }

    @Test func `a later file replaces a value, and an empty value removes all earlier ones`() {
        let unit = unit(
            "[Service]\nUser=a\nEnvironment=A=1\nEnvironment=B=2\n",
            "[Service]\nUser = b\nEnvironment=\nEnvironment=C=3\n"
        )
        #expect(unit.value("User") == "b")
        #expect(unit.values("Environment") == ["C=3"])
        #expect(unit.value("Group") == nil && unit.values("Group").isEmpty)
    }

    @Test func `an empty StateDirectory= also removes the mode`() {
        let unit = unit("StateDirectory=a\nStateDirectoryMode=0700\n", "StateDirectory=\nStateDirectory=b\n")
        #expect(unit.value("StateDirectory") == "b" && unit.value("StateDirectoryMode") == nil)
    }

    @Test(arguments: [
        ("[Service]", true), ("[Unit]", false), ("[Servic]", false), ("[X-Other]", false), ("[Install]", false),
    ])
    func `a line in a section of other lines has no effect`(section: String, isRead: Bool) {
        #expect(unit("\(section)\nUser=a\n").value("User") == (isRead ? "a" : nil))
    }

    @Test func `comments are no lines, and a backslash joins lines`() {
        let unit = unit("ExecStart=/bin/x \\\n# between\n  --y \\\n  --z\nUser=c\n# User=a\n; User=b\n")
        #expect(unit.value("User") == "c")
        #expect(unit.words("ExecStart") == ["/bin/x", "--y", "--z"])
    }

    @Test func `words keep what quotation marks hold together`() {
        let unit = unit("Environment=\"A=1 2\" 'B=\"x\"' C=3\"4 5\"\nEnvironment=D=\"\"\n")
        #expect(unit.words("Environment") == ["A=1 2", "B=\"x\"", "C=34 5", "D="])
    }

    @Test func `specifiers stand for the parts of the name`() {
        let unit = unit("X=%i %n %N %p %% %Z\n")
        #expect(
            unit.value("X")
                == "example.org linkedin-signin@example.org.service linkedin-signin@example.org linkedin-signin % %Z"
        )
        #expect(unit.prefix == "linkedin-signin")
        #expect(self.unit("X=-%i-\n", named: "linkedin-signin.service").value("X") == "--")
    }

    @Test(arguments: [
        ("yes", true), ("TRUE", true), ("on", true), ("1", true), ("no", false), ("0", false), ("", false),
    ])
    func `a setting is true as systemd reads it`(text: String, isOn: Bool) {
        #expect(unit("DynamicUser=\(text)\n").isOn("DynamicUser") == isOn)
    }
}
