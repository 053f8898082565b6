import Testing

@testable import Settings

/// What the units of a site say about its service.
struct SiteServiceTests {
    private func service(_ lines: String, socket: String? = nil) throws -> SiteService {
        let site = try #require(InstalledSite(named: "example.org"))
        return SiteService(
            site,
            unit: SystemdUnit(site.service, texts: ["[Service]\n" + lines]),
            socketUnit: socket.map { SystemdUnit(site.socketUnit, texts: ["[Socket]\n" + $0]) }
        )
    }

    @Test func `the state directory is that of the unit, or else that of the package`() throws {
        #expect(try service("StateDirectory=%p-%i other\n").stateDirectory == "/var/lib/linkedin-signin-example.org")
        #expect(try service("StateDirectory=members\n").stateDirectory == "/var/lib/members")
        #expect(try service("").stateDirectory == "/var/lib/linkedin-signin-example.org")
    }

    @Test func `several state directories of a unit are an error, and no command makes a directory of both names`() {
        let both = ["STATE_DIRECTORY": "/var/lib/a:/var/lib/b"]
        let problem = SettingSources(environment: both, file: nil, readSecret: { _ in "" }).problems.first
        #expect(problem?.message.hasPrefix("StateDirectory= has 2 directories (/var/lib/a, /var/lib/b)") == true)
    }

    @Test func `credentials are the files with an absolute path`() throws {
        let service = try service(
            "LoadCredential=linkedin-client-secret:/etc/linkedin-signin/%i/client-secret\nLoadCredential=a:b\nLoadCredential=c\n"
        )
        #expect(
            service.credentials == ["linkedin-client-secret": "/etc/linkedin-signin/example.org/client-secret"]
        )
    }

    @Test func `variables have the value after the first equals sign`() throws {
        let service = try service("Environment=A=1=2 \"B=x y\" nothing\n")
        #expect(service.environment == ["A": "1=2", "B": "x y"])
    }

    @Test func `a command with SIGNIN_LISTEN=inherited uses the socket of the socket unit only`() throws {
        let instance = "ExecStart=/usr/bin/env SIGNIN_LISTEN=inherited /usr/bin/linkedin-signin serve\n"
        #expect(try service(instance).usesSocketUnitOnly)
        #expect(try !service("ExecStart=/usr/bin/linkedin-signin serve\n").usesSocketUnitOnly)
    }

    @Test(arguments: [
        ("ProtectHome=yes", "/home/x/logo.svg", "ProtectHome=yes"),
        ("ProtectHome=tmpfs", "/root/a", "ProtectHome=tmpfs"),
        ("ProtectHome=read-only", "/home/x", nil), ("PrivateTmp=yes", "/var/tmp/x", "PrivateTmp=yes"),
        ("PrivateTmp=yes", "/tmpfile", nil),
        ("InaccessiblePaths=/srv/a /srv/b", "/srv/b/x", "InaccessiblePaths=/srv/b"),
        ("InaccessiblePaths=/srv/a", "/srv/ab", nil),
        ("TemporaryFileSystem=/srv/a/:ro /srv/b", "/srv/a/x", "TemporaryFileSystem=/srv/a/:ro"),
        ("TemporaryFileSystem=/\nBindPaths=/srv/b", "/srv/a", "TemporaryFileSystem=/"),
        ("TemporaryFileSystem=/\nBindReadOnlyPaths=-/else:/srv/a", "/srv/a/x", nil),
        ("InaccessiblePaths=/srv\nBindPaths=/srv/a", "/srv/a", "InaccessiblePaths=/srv"),
        ("ProtectHome=tmpfs\nBindPaths=/home/x", "/home/x/logo.svg", nil),
    ])
    func `a line that hides a file is named`(line: String, path: String, hiding: String?) throws {
        #expect(try service(line + "\n").unit?.lineHiding(path) == hiding)
    }

    @Test func `the service may write only where a strict unit lets it`() throws {
        let strict = try service("ProtectSystem=strict\nReadWritePaths=/srv/a -/srv/b\n")
        for path in ["/srv/a", "/srv/a/x", "/srv/b/x", "/var/lib/own/x"] {
            #expect(strict.mayWrite(path, orBelow: ["/var/lib/own"]), "\(path)")
        }
        for path in ["/srv", "/srv/ab", "/var/lib/owner"] {
            #expect(!strict.mayWrite(path, orBelow: ["/var/lib/own"]), "\(path)")
        }
        #expect(try service("ProtectSystem=full\n").mayWrite("/srv", orBelow: []))
    }

    @Test func `the socket is the first path of the socket unit`() throws {
        let socket = try service("", socket: "ListenStream=9000\nListenStream=/run/linkedin-signin/%i.socket\n").socket
        #expect(socket == "/run/linkedin-signin/example.org.socket")
        #expect(try service("").socket == nil)
        #expect(try service("", socket: "ListenStream=/a\nListenStream=\nListenStream=/b\n").socket == "/b")
    }

    @Test(arguments: [
        ("", "serve --settings-file /etc/x", "/etc/x", false),
        ("-", "serve --settings-file=/etc/x --replace", "/etc/x", false),
        ("/usr/bin/env SIGNIN_LISTEN=inherited ", "serve", nil, false), ("/usr/bin/env SIGNIN_HOME=/ ", "", nil, true),
        ("", "--site a.org", "/etc/linkedin-signin/a.org/settings", false),
    ])
    func `the command of a unit names the settings file`(front: String, options: String, file: String?, sets: Bool) {
        let arguments = options.split(separator: " ").map(String.init)
        let command = StartCommand("\(front)/a/linkedin-signin \(options)".split(separator: " ").map(String.init))
        #expect(command == .serve(program: "/a/linkedin-signin", arguments: arguments, setsEnvironment: sets))
        #expect(StartCommand.settingsFile(arguments) == file)
    }

    @Test(arguments: ["/bin/sh -c x", "/a/linkedin-signin serve --settings-file $X"])
    func `another command does not show the settings`(line: String) {
        let words = line.split(separator: " ").map(String.init)
        #expect(StartCommand(words) == .other(words))
    }

    @Test func `a service without a user runs as root`() throws {
        for unit in ["DynamicUser=no\n", "User=root\n", "DynamicUser=yes\nUser=0\n", "User=00\n"] {
            #expect(try service(unit).messageAboutRoot != nil, "\(unit)")
        }
        #expect(try service("DynamicUser=yes\nUser=root\n").messageAboutRoot?.change.contains("User=root") == true)
        for unit in ["DynamicUser=yes\n", "User=nobody\n"] {
            #expect(try service(unit).messageAboutRoot == nil, "\(unit)")
        }
    }

    @Test func `private users and a list of users that may connect exclude each other`() throws {
        for value in ["yes", "self"] {
            let service = try service("PrivateUsers=\(value)\n")
            #expect(service.messageAboutPrivateUsers(["www-data"])?.contains("remove the line PrivateUsers=") == true)
            #expect(service.messageAboutPrivateUsers([]) == nil)
        }
        #expect(try service("PrivateUsers=no\n").messageAboutPrivateUsers(["www-data"]) == nil)
    }

    @Test(arguments: [
        ("RestrictAddressFamilies=AF_UNIX AF_INET", nil), ("RestrictAddressFamilies=AF_UNIX", "AF_INET, AF_INET6"),
        ("RestrictAddressFamilies=AF_INET", "AF_INET6, AF_UNIX"), ("RestrictAddressFamilies=none", "AF_INET, AF_INET6"),
        ("RestrictAddressFamilies=~AF_INET AF_INET6", "AF_INET, AF_INET6"),
        ("PrivateNetwork=yes", "PrivateNetwork=yes"),
        ("RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6\nRestrictAddressFamilies=~AF_INET6", nil),
        ("RestrictAddressFamilies=AF_UNIX AF_INET\nRestrictAddressFamilies=none", "AF_INET, AF_INET6, AF_UNIX"),
    ])
    func `a unit without a network is a problem`(lines: String, words: String?) throws {
        let found = try service("ExecStart=/bin/sh\nUser=root\n\(lines)\n").problems { _ in nil }.map(\.message)
        #expect(found.count == (words == nil ? 0 : 1) && found.allSatisfy { $0.contains(words ?? "") }, "\(found)")
    }

    @Test(arguments: [("12", 1), ("63:65536", 1), ("64", 0), ("infinity", 0), ("12\nLimitNOFILE=8192", 0)])
    func `too few file descriptors are a problem`(limit: String, count: Int) throws {
        let found = try service("ExecStart=/bin/sh\nUser=root\nLimitNOFILE=\(limit)\n").problems { _ in nil }
        #expect(found.count { $0.message.hasPrefix("LimitNOFILE=\(limit) allows") } == count && found.count == count)
    }

    @Test func `a user that this machine lacks is a problem unless systemd makes it`() throws {
        let name = "no-such-user-of-tests"
        let command = "ExecStart=/bin/sh\nUser=\(name)\n"
        let found = try service(command).problems { _ in nil }.map(\.message)
        let unit = "linkedin-signin@example.org.service"
        #expect(found == ["User=\(name): this machine has no such user; correct the line: systemctl edit \(unit)"])
        #expect(try service(command + "DynamicUser=yes\n").problems { _ in nil }.isEmpty)
    }
}
