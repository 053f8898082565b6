import HTTP
import Testing

struct CookieValueTests {
    @Test func `values that differ in bytes alone conflict`() {
        #expect(Cookies(["a=\u{e9}; a=e\u{301}"])["a"] == .conflicting)
        #expect(Cookies(["a=\u{e9}; a=\u{e9}"])["a"] == .one("\u{e9}"))
    }
}
