import Settings
import Testing

@testable import WebServerConfiguration

@Suite struct ServerReviewTests {
    private func nginx(_ server: String, http: String = "") -> ServerReview {
        ServerReview("http {\n\(http)\nserver {\n\(server)\n}\n}", from: "n", of: .nginx)
    }

    private static let site = """
        if ($request_uri ~* "^//|/[.]|\\\\\\\\|%2e") { return 400; }
        if ($http_x_auth_subject$http_x_auth_email$http_x_auth_name) { return 400; }
        location = /oauth { access_log off; error_log /dev/null crit; fastcgi_param SIGNIN_ACTION ""; fastcgi_pass p; }
        """
    private static let question = """
        location = /ask { internal; fastcgi_param SIGNIN_ACTION authorize; fastcgi_param SIGNIN_REQUIRE member; fastcgi_pass p; }
        """

    @Test func `a guard is known by what it asks, whatever its names are`() {
        let good = nginx("\(Self.site)\n\(Self.question)\nlocation ^~ /a/ { auth_request /ask; error_page 401 = @s; }")
        #expect(good.problems.isEmpty && good.notes.isEmpty)
        let open = nginx(
            """
            \(Self.site)\n\(Self.question)
            location /a/ { auth_request /ask; error_page 401 = @s; }
            location ~ [.]php$ { fastcgi_pass php; }
            """
        )
        #expect(open.problems.map(\.subject) == ["n:9"])
    }

    @Test func `a question to another program is none of ours`() {
        let review = nginx("location /a/ { auth_request /other; } location = /other { proxy_pass http://b; }")
        #expect(review.problems.map(\.subject) == ["n:1"] && review.notes.isEmpty)
    }

    @Test func `what a location inherits counts, and what it sets replaces all of it`() {
        let inherited = """
            proxy_set_header X-Auth-Subject ""; proxy_set_header X-Auth-Email ""; proxy_set_header X-Auth-Name "";
            if ($request_uri ~* "^//|/[.]|\\\\\\\\|%2e") { return 400; }
            location = /oauth { access_log off; error_log /dev/null; fastcgi_param SIGNIN_ACTION ""; fastcgi_pass p; }
            \(Self.question)
            location ^~ /a/ { auth_request /ask; error_page 401 = @s; }
            """
        #expect(nginx(inherited + "location /b { proxy_pass http://b; }").problems.isEmpty)
        let own = nginx(inherited + "location /b { proxy_pass http://b; proxy_set_header x-auth-email a; }")
        #expect(own.faults.map(\.kind) == [.identity])
        #expect(own.problems[0].message.contains("passes X-Auth-Subject, X-Auth-Name from"))
    }

    /// A server with lines at its beginning, and with a guard; nothing else refuses paths.
    private func guarded(_ lines: String) -> ServerReview {
        let site = Self.site.split(separator: "\n").dropFirst().joined(separator: "\n")
        let location = "location ^~ /a/ { auth_request /ask; error_page 401 = @s; }"
        return nginx("\(lines)\n\(site)\n\(Self.question)\n\(location)")
    }

    private static let refusal = #"if ($request_uri ~* "^//|/[.]|%2e|\\\\") { return 400; }"#

    @Test(arguments: [
        ("", "with dot segments, and paths that begin with //, and paths with \\."),
        (
            #"if ($request_uri ~* "^[^?]*(?:/|\\\\|%2f|%5c)(?:\.|%2e){1,2}(?:[/?;#\\\\]|%2f|%5c|$)") { return 400; }"#,
            "that begin with //, and paths with \\."
        ),
        (#"if ($request_uri ~ "^//|/[.]|\\\\") { return 400; }"#, "with dot segments."),
        (
            refusal.replacing("400", with: "200"),
            "with dot segments, and paths that begin with //, and paths with \\."
        ),
        (
            "if ($request_uri ~ ^//) { return 404; } if ( $request_uri ~* /[.]|%2e ) { return 403; }",
            "with \\."
        ),
        (#"if ($request_uri ~* ^//|/[.]|%2e|[\\]) { return 444; }"#, nil),
        (refusal, nil), (refusal.replacing("400", with: "503"), nil),
    ]) func `the spellings of paths that a server with a guard accepts are named`(lines: String, accepted: String?) {
        let problems = guarded(lines).problems
        #expect(problems.map(\.subject) == (accepted == nil ? [] : ["n:3"]))
        #expect(problems.allSatisfy { $0.message.hasPrefix("this server accepts paths \(accepted ?? "") An") })
    }

    @Test(arguments: [
        ("error_page 400 404 =200 @b;", 1), ("error_page 404 @b;", 0), ("error_page 400 @c;", 0),
        ("error_page 400 /index.php;", 0), ("error_page 400 https://example.org/;", 0),
    ]) func `an application that gets rejected requests is found`(line: String, count: Int) {
        let problems = guarded(
            "\(line) \(Self.refusal) location @b { fastcgi_pass b; } location @c { root /srv; }"
        ).problems
        #expect(problems.map(\.subject) == Array(repeating: "n:4", count: count))
        #expect(problems.allSatisfy { $0.message.contains("passes requests that this server rejects") })
    }

    @Test(arguments: [
        ("REMOTE_USER $c;", true), ("REMOTE_USER \"\";", true), ("REMOTE_USER $remote_user;", false),
        ("REMOTE_USER ${remote_user};", false), ("REMOTE_USER x$arg_u;", false), ("REMOTE_USER $cookie_u;", false),
        ("REMOTE_USER $http_x_user;", false), ("REMOTE_USER $mapped;", false), ("REMOTE_USER $set;", false),
        ("REMOTE_USER $remote_user; fastcgi_param REMOTE_USER $c;", true),
        ("REMOTE_USER $c; fastcgi_param REMOTE_USER $remote_user;", false), ("OTHER $c;", false),
    ]) func `an application gets the identity of the member only from a value that no client sets`(
        parameter: String,
        isReplaced: Bool
    ) {
        let names = ["AUTH_EMAIL", "AUTH_NAME"] + ["SUBJECT", "EMAIL", "NAME"].map { "HTTP_X_AUTH_" + $0 }
        let others = names.map { "fastcgi_param \($0) \"\";" }.joined(separator: " ")
        let server = """
            \(Self.site)\n\(Self.question)
            set $set "a $remote_user";
            location ^~ /a/ { auth_request /ask; error_page 401 = @s; location ~ [.]php$ {
            \(others) fastcgi_param \(parameter) fastcgi_pass b; } }
            """
        let review = nginx(server, http: "map $http_user $inner { default 1; } map $inner $mapped { default 1; }")
        let isNamed = review.problems.map { $0.message.contains("does not replace REMOTE_USER by") }
        #expect(isNamed == (isReplaced ? [] : [true]))
    }

    @Test(arguments: [("/a/", 1), ("/a/b/", 0), ("/b/", 1)])
    func `a named location is guarded like the location that hands requests over to it`(path: String, count: Int) {
        let block = "location @b { fastcgi_pass b; } location @c { fastcgi_pass c; }"
        let guarded = "auth_request /ask; error_page 401 = @s; try_files $uri"
        let server = """
            \(Self.site)\n\(Self.question)\n\(block)
            location ^~ /a/ { \(guarded) \(path == "/a/" ? "@b" : "=404"); }
            location ^~ /b/ { \(guarded) \(path == "/b/" ? "@c" : "=404"); }
            """
        let found = nginx(server).problems.filter { $0.message.contains("does not replace") }
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.message.hasPrefix("location @\(path == "/a/" ? "b" : "c") is guarded") })
    }

    @Test(arguments: [
        ("proxy_pass http://b;", "proxy_set_header Authorization"),
        ("proxy_pass http://b; proxy_set_header Authorization $http_authorization;", "proxy_set_header Authorization"),
        ("if ($a) { proxy_pass http://b; }", "proxy_set_header Authorization"),
        ("fastcgi_pass b;", "fastcgi_param HTTP_AUTHORIZATION"),
        ("uwsgi_pass b;", "uwsgi_param HTTP_AUTHORIZATION"),
        ("location /a/b/ { fastcgi_pass b; }", "fastcgi_param HTTP_AUTHORIZATION"),
        ("try_files $uri @b;", "fastcgi_param HTTP_AUTHORIZATION"),
        ("proxy_pass http://b; proxy_set_header authorization $c;", nil),
        ("fastcgi_pass b; fastcgi_param HTTP_AUTHORIZATION $c;", nil),
        ("try_files $uri @c;", nil),
        ("root /srv;", nil),
    ]) func `an application that gets personal tokens is found if there are any`(lines: String, found: String?) {
        let text = """
            http { server {
            \(Self.site)\n\(Self.question)
            proxy_set_header X-Auth-Subject ""; proxy_set_header X-Auth-Email ""; proxy_set_header X-Auth-Name "";
            location @b { fastcgi_pass b; } location @c { fastcgi_pass b; fastcgi_param HTTP_AUTHORIZATION ""; }
            location ^~ /a/ { auth_request /ask; error_page 401 = @s; \(lines) }
            location /open/ { fastcgi_pass b; }
            } }
            """
        let of = { ServerReview(text, from: "n", of: .nginx, settings: RuleSettings(acceptsPersonalTokens: $0)) }
        let isFound = { (problem: ConfigurationError.Problem) in problem.message.contains("passes personal tokens") }
        #expect(of(true).problems.filter(isFound).count == (found == nil ? 0 : 1))
        #expect(of(true).problems.allSatisfy { !isFound($0) || $0.message.hasSuffix("add here: \(found ?? "") \"\";") })
        #expect(!of(false).problems.contains(where: isFound))
    }

    @Test func `the guard of another site is found by its socket`() {
        let http = "upstream p { server unix:/a; } upstream q { server unix:/b; }"
        let question = Self.question.replacing("fastcgi_pass p", with: "fastcgi_pass q")
        let review = nginx(
            "\(Self.site)\n\(question)\nlocation ^~ /a/ { auth_request /ask; error_page 401 = @s; }",
            http: http
        )
        #expect(review.faults.map(\.kind) == [.program])
        #expect(review.problems[0].message.contains("asks unix:/b, but visitors"))
    }

    @Test func `words of nginx are read as nginx reads them`() {
        let text = #"a "b c" 'd;e' f\ g ${h}i j#k; # l; {"# + "\nm n { o; p{q;} } r"
        let directives = NginxParser.directives(in: text[...], file: "f")
        #expect(directives.map(\.name) == ["a", "m"])
        #expect(directives[0].arguments == ["b c", "d;e", "f\\ g", "${h}i", "j#k"])
        #expect(directives[1].place == SourcePlace(file: "f", line: 2))
        #expect(directives[1].block.map(\.name) == ["o", "p"] && directives[1].block[1].block.map(\.name) == ["q"])
    }

    @Test func `files that include each other come to an end`() {
        let text = "# configuration file /a:\ninclude /*;\nx;\n# configuration file /b:\ninclude /*;\ny;\n"
        #expect(NginxDump(text, source: "f").directives.map(\.name) == ["y", "x"])
    }

    @Test(arguments: [
        ("^/a/", "/a/b/", true), ("^/a/b/c", "/a/b/", true), ("^/x", "/a/", false), ("/x", "/a/", true),
        (#"^/a\.b/"#, "/a.b/", true), (#"^/a\.b/"#, "/acb/", false), ("^/x|^/a", "/a/", true), ("^/(x|a)", "/a/", true),
        ("^/ax?/", "/a/", true), ("^/a.c/", "/abc/", true), (#"^/\w+/"#, "/a/", true), ("^", "/", true),
        ("", "/", true),
    ])
    func `an expression excludes a path only by the text it begins with`(
        _ expression: String,
        _ path: String,
        _ may: Bool
    ) {
        #expect(PathPattern.mayMatch(expression, below: path) == may)
    }

    @Test(arguments: [
        ("/a/*.conf", "/a/b.conf", true), ("/a/*.conf", "/a/b/c.conf", false), ("/a/?", "/a/b", true), ("*", "", true),
        ("/a/*b*c", "/a/xbybzc", true), ("/a/*b*c", "/a/xbybz", false), ("/a", "/a/", false), ("/a/?", "/a//", false),
    ])
    func `an asterisk stands for a part of one name`(_ pattern: String, _ name: String, _ matches: Bool) {
        #expect(Wildcard.matches(pattern, name) == matches)
    }

    @Test func `settings of lighttpd are read with their lists and conditions`() {
        let text = """
            config {
                a.b = ( "c" => ( "d" => 1, ), "e", ) # f
                $HTTP["host"] == "g" {
                    h = "i\\"j\\k"
                }
                else $REQUEST_HEADER["l"] !~ "m" { n += ( "o" ) n += ( "p" ) }
            }
            """
        let block = LighttpdParser.block(text, file: "f")
        #expect(block.setting("a.b")?.value["c"]?["d"] == .text("1") && block.setting("a.b")?.place.line == 2)
        #expect(block.blocks.map(\.text) == [#"$HTTP["host"] == "g""#, #"$REQUEST_HEADER["l"] !~ "m""#])
        #expect(block.blocks[0].setting("h")?.value.text == #"i"j\k"#)
        #expect(block.blocks[1].setting("n")?.value.members.compactMap(\.value.text) == ["o", "p"])
    }

    @Test(arguments: ["4 9007199254740991k", "9223372036854775807 8k", "9007199254740991 9007199254740991m", "4 8k"])
    func `sizes of requests that nginx accepts are not reported, however large they are`(sizes: String) {
        let lines = "large_client_header_buffers \(sizes); client_header_buffer_size 9007199254740991k;"
        let review = guarded("\(lines) \(Self.refusal)")
        #expect(!(review.problems + review.warnings).contains { $0.message.hasPrefix("large_client_header_buffers") })
    }

    @Test(arguments: [
        "", "}", "{", "\"", "'", "\\", "#", "$", "${", "http", "http{", "http{server{location", "a = (", "$HTTP[\"",
        "=>",
        String(repeating: "a{", count: 5000), String(repeating: "(", count: 5000),
        "a=" + String(repeating: "(", count: 5000),
        String(repeating: "$HTTP[\"url\"] == \"\" {", count: 500), String(repeating: "}", count: 500),
    ])
    func `odd text is reviewed and not trapped on`(_ text: String) {
        for server in WebServer.allCases {
            let review = ServerReview(text, from: "f", of: server)
            #expect(!(review.problems + review.notes).isEmpty)
        }
    }
}
