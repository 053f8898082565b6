import HTTP
import Testing

@Suite struct RequestIDTests {
    @Test func `an identifier is sixteen digits`() {
        #expect(RequestID(0).description == "0000000000000000")
        #expect(RequestID(0xab).description == "00000000000000ab")
        #expect(RequestID(.max).description == "ffffffffffffffff")
    }

    @Test func `identifiers of two requests differ`() {
        #expect(Set((0..<1_000).map { _ in RequestID() }).count == 1_000)
    }
}
