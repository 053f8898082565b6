import HTTP
import Testing

@Suite struct StatusTests {
    @Test func `a status is told by its code, and by its reason in words`() {
        #expect(Status(404, "Nothing Here") == .notFound)
        #expect(Set([Status(404), .notFound, .ok]).count == 2)
        #expect(Status(404, "Nothing Here").reason == "Nothing Here")
    }

    @Test(
        arguments: [
            (Status.ok, 200), (.seeOther, 303), (.badRequest, 400), (.unauthorized, 401), (.forbidden, 403),
            (.notFound, 404), (.methodNotAllowed, 405), (.contentTooLarge, 413), (.headerFieldsTooLarge, 431),
            (.internalServerError, 500), (.badGateway, 502), (.serviceUnavailable, 503), (.gatewayTimeout, 504),
        ]
    )
    func `a named status has its code and a reason`(status: Status, code: Int) {
        #expect(status.code == code)
        #expect(!status.reason.isEmpty && status.reason.utf8.allSatisfy { (0x20..<0x7f).contains($0) })
    }
}
