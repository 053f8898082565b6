/// A `Set-Cookie` field of the only shape this program sends: `__Host-`, Secure, HttpOnly, Path=/, SameSite=Lax.
///
/// There is no switch to weaken one (RFC 6265bis §4.1.3.2). Lax and not Strict, because the way back from the
/// provider is a cross-site navigation.
package struct SetCookie: Sendable, Equatable {
    package let name: String
    package let value: String
    /// Seconds to live; nil ends the cookie with the browser session, 0 deletes it.
    package let maxAge: Int?

    /// Makes a cookie from a name without its `__Host-` and a value.
    ///
    /// What may not stand in either (RFC 6265bis §4.1.1) is percent-encoded, so that no value can become an attribute.
    package init(_ name: String, value: String, maxAge: Int? = nil) {
        self.name = "__Host-" + Percent.encode(name, keeping: HeaderName.isTokenByte)
        self.value = Percent.encode(value, keeping: Self.isCookieOctet)
        self.maxAge = maxAge
    }

    /// A deletion, which must repeat every attribute.
    package static func deleting(_ name: String) -> SetCookie {
        SetCookie(name, value: "", maxAge: 0)
    }

    /// The field value.
    package var headerValue: String {
        let lifetime = maxAge.map { "; Max-Age=\($0)" } ?? ""
        return "\(name)=\(value)\(lifetime); Path=/; Secure; HttpOnly; SameSite=Lax"
    }

    private static func isCookieOctet(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\\"): false
        default: (0x21...0x7e).contains(byte)
        }
    }
}
