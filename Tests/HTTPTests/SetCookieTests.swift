import HTTP
import Testing

@Suite struct SetCookieTests {
    @Test func `a cookie has every attribute that protects it`() {
        #expect(
            SetCookie("session", value: "AbC-_09").headerValue
                == "__Host-session=AbC-_09; Path=/; Secure; HttpOnly; SameSite=Lax"
        )
        #expect(
            SetCookie("signin-1", value: "x", maxAge: 600).headerValue
                == "__Host-signin-1=x; Max-Age=600; Path=/; Secure; HttpOnly; SameSite=Lax"
        )
    }

    @Test func `a deletion repeats every attribute`() {
        #expect(
            SetCookie.deleting("session").headerValue
                == "__Host-session=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax"
        )
    }

    @Test func `a value cannot become an attribute, nor a name a value`() throws {
        let cookie = SetCookie("a=b; c", value: "1; Domain=evil, \"\\é\r\n")
        #expect(cookie.name == "__Host-a%3Db%3B%20c")
        #expect(cookie.value == "1%3B%20Domain=evil%2C%20%22%5C%C3%A9%0D%0A")
        var headers = Headers()
        try headers.append(.setCookie, cookie.headerValue)
    }

    @Test func `what is a cookie octet stays`() {
        let octets = "!#$%&'()*+-./0123456789:<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~"
        #expect(SetCookie("a", value: octets).value == octets)
        for byte in UInt8.min..<0x80 where !octets.utf8.contains(byte) {
            #expect(SetCookie("a", value: String(Unicode.Scalar(byte))).value.utf8.count == 3)
        }
    }

    @Test func `a cookie that was set is found when it comes back`() {
        let cookie = SetCookie("session", value: "a b;c", maxAge: 1)
        let sent = String(cookie.headerValue.prefix { $0 != ";" })
        #expect(Cookies(["other=1; \(sent)"])["__Host-session"] == .one(cookie.value))
    }
}
