import HTTP
import Testing

/// Cookie lines that have broken parsers; `a` is the cookie asked for (RFC 6265bis §5.8.3).
struct CookieLineTests {
    @Test(
        arguments: [
            ([], .none), ([""], .none), ([" \t "], .none), ([";;;; ;"], .none), (["="], .none), (["==="], .none),
            (["a"], .none), (["a;a=1"], .one("1")), (["a=1"], .one("1")), ([" a = 1 "], .one("1")), (["a="], .one("")),
            (["a=b=c"], .one("b=c")), (["a=\"1\""], .one("\"1\"")), (["a=\"1; b=2\""], .one("\"1")), (["A=1"], .none),
            (["aa=1; a=2; ba=3"], .one("2")), (["a=1;a=1"], .one("1")), (["a=1; a=2"], .conflicting),
            (["a=1", "a=2"], .conflicting), (["a=1", "b=2"], .one("1")), (["b=2", "a=1"], .one("1")),
            (["a=1; a="], .conflicting), (["a\u{1}=1"], .none), (["a=\u{1}\u{7f}"], .one("\u{1}\u{7f}")),
            (["a=\u{fffd}"], .one("\u{fffd}")), (["a=1,a=2"], .one("1,a=2")), (["$Version=1; a=1; $Path=/"], .one("1")),
            ([String(repeating: "x=y; ", count: 180) + "a=1"], .one("1")),
            ([String(repeating: ";", count: 100_000) + "a=1"], .one("1")),
        ] as [([String], Cookies.Lookup)]
    )
    func `a cookie is found or not, whatever stands around it`(lines: [String], expected: Cookies.Lookup) {
        #expect(Cookies(lines)["a"] == expected)
    }

    @Test func `names with a prefix are told once, in their order`() {
        let cookies = Cookies(["p-2=a; x=b; p-1=c", "p-2=d; =p-3; p-4"])
        #expect(cookies.names(withPrefix: "p-") == ["p-2", "p-1"])
    }

    @Test func `a cookie that is set has every attribute, also when it is deleted`() {
        #expect(
            SetCookie("s", value: "v", maxAge: 60).headerValue
                == "__Host-s=v; Max-Age=60; Path=/; Secure; HttpOnly; SameSite=Lax"
        )
        #expect(
            SetCookie.deleting("s").headerValue == "__Host-s=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax"
        )
    }
}
