import Settings
import Testing

@testable import WebServerConfiguration

struct NginxVerdictsTests {
    private static let cache = """
        fastcgi_cache v; fastcgi_cache_key "$question;$http_cookie"; fastcgi_cache_valid 200 1s;
        fastcgi_cache_bypass $unkept; fastcgi_no_cache $unkept; fastcgi_cache_use_stale off;
        """
    private static let http = """
        fastcgi_cache_path /memory/v levels=2 keys_zone=v:4m use_temp_path=off;
        map $msec $question { volatile; "~^(..)[.]" "unix:/s;$rule;$1"; }
        """

    private func problems(_ edit: (String) -> String = { $0 }) -> [String] {
        let text = """
            http { \(Self.http)
            server {
            if ($request_uri ~* "^//|/[.]|\\\\\\\\|%2e") { return 400; }
            if ($http_x_auth_subject$http_x_auth_email$http_x_auth_name) { return 400; }
            location = /oauth { access_log off; error_log /dev/null crit; fastcgi_param SIGNIN_ACTION ""; fastcgi_pass p; }
            location = /ask {
            set $rule member; internal; fastcgi_param SIGNIN_ACTION authorize; fastcgi_param SIGNIN_REQUIRE $rule; fastcgi_pass p;
            \(Self.cache)
            }
            location ^~ /a/ { auth_request /ask; error_page 401 = @s; }
            } }
            """
        let review = ServerReview(edit(text), from: "n", of: .nginx) { $0.hasPrefix("/memory/") }
        #expect(review.notes.isEmpty)
        return review.problems.map(\.message)
    }

    @Test func `a cache in memory for each question and its cookies has no findings`() {
        #expect(problems().isEmpty)
        let withoutCache = problems { text in
            text.replacing("fastcgi_cache v;", with: "fastcgi_cache off;").replacing("/memory", with: "/disk")
        }
        #expect(withoutCache.isEmpty)
    }

    @Test(arguments: [
        ("/memory/v", "/disk/v", "/disk/v is not in memory"),
        (" use_temp_path=off", "", "temporary files"),
        ("keys_zone=v:", "keys_zone=w:", "no fastcgi_cache_path has the keys_zone v"),
        (";$http_cookie\"", "\"", "lacks $http_cookie"),
        ("unix:/s;$rule;", "", "lacks $rule"),
        ("\"$question;$http_cookie\"", "$time_local", "lacks $http_cookie and $rule"),
        ("map $msec", "map $host", "lacks the time"),
        ("fastcgi_cache_valid 200 1s", "fastcgi_cache_valid 1s", "responses other than 200"),
        ("fastcgi_cache_valid 200 1s", "fastcgi_cache_valid any 1s", "responses other than 200"),
        ("fastcgi_cache_valid 200 1s", "fastcgi_cache_valid 200 403 1s", "responses other than 200"),
        ("fastcgi_cache_use_stale off", "fastcgi_cache_use_stale error", "uses expired verdicts"),
        ("fastcgi_cache_use_stale off", "fastcgi_ignore_headers Expires Set-Cookie", "with Set-Cookie"),
        ("fastcgi_cache_bypass $unkept;", "", "no fastcgi_cache_bypass"),
        ("fastcgi_no_cache $unkept;", "", "no fastcgi_no_cache"),
    ])
    func `a cache that could admit somebody else or reach a disk is found`(old: String, new: String, words: String) {
        let found = problems { text in
            #expect(text.contains(old))
            return text.replacing(old, with: new)
        }
        #expect(found.count == 1 && found[0].contains(words), "\(found)")
    }
}
