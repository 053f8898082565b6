import OpenID
import Testing

@Suite struct ConstantTimeTests {
    @Test func `texts are equal only if all their bytes are`() {
        #expect(ConstantTime.equal("state", "state"))
        #expect(ConstantTime.equal("", ""))
        for other in ["", "s", "statf", "State", "states", "state\0", "tstae"] {
            #expect(!ConstantTime.equal(other, "state"))
            #expect(!ConstantTime.equal("state", other))
        }
        #expect(!ConstantTime.equal("e\u{301}", "é"))
        // The missing bytes must not count as zeros.
        #expect(!ConstantTime.equal("a", "a\0"))
    }
}
