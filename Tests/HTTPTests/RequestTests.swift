import HTTP
import TestSupport
import Testing

struct RequestIDTests {
    @Test func `a web server's request number is shown as the web server writes it`() {
        let digits = "00fedcba98765432100123456789abcd"
        #expect(RequestID(digits: Array(digits.utf8).span)?.description == digits)
    }

    @Test(arguments: [
        "", "0", "0123456789abcdef", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0",
        "0123456789ABCDEF0123456789abcdef", "0123456789abcdef0123456789abcde\n", "0123456789abcdef-123456789abcdef",
        "0123456789abcdef/123456789abcdef", "0123456789abcdef:123456789abcdef", "0123456789abcdef`123456789abcdef",
        "0123456789abcdefg123456789abcdef",
    ])
    func `a request number of another form is ignored`(digits: String) {
        #expect(RequestID(digits: Array(digits.utf8).span) == nil)
    }

    @Test func `a request id has sixteen hexadecimal digits`() {
        #expect(RequestID(0).description == "0000000000000000")
        #expect(RequestID(0xab).description == "00000000000000ab")
        #expect(RequestID(.max).description == "ffffffffffffffff")
    }

    @Test func `two requests have different ids`() {
        #expect(RequestID() != RequestID())
    }
}

struct StatusTests {
    @Test func `statuses are compared by their codes`() {
        #expect(Status(404, "Nothing Here") == .notFound)
        #expect(Set([Status(404), .notFound, .ok]).count == 2)
        #expect(Status(404, "Nothing Here").reason == "Nothing Here")
    }

    /// The statuses are taken from the source, so that none can be missing here.
    @Test func `every status in the source has its own code and a printable reason`() throws {
        let source = try SourceFile.text("Sources/HTTP/Response.swift")
        let statuses = source.matches(of: /static let \w+ = Status\(([^,)]*), "([^"]*)"\)/)
        let codes = statuses.compactMap { Int($0.output.1) }
        #expect(codes.contains(Status.ok.code) && codes.contains(Status.gatewayTimeout.code))
        #expect(codes.count == statuses.count && Set(codes).count == codes.count)
        #expect(codes.allSatisfy { (200..<600).contains($0) })
        for status in statuses {
            let reason = status.output.2
            #expect(!reason.isEmpty && reason.utf8.allSatisfy { (0x20..<0x7f).contains($0) }, "\(reason)")
        }
        #expect(source.matches(of: /static let/).count == statuses.count)
    }
}
