import Sessions
import TestSupport
import Testing

import struct Foundation.Date

struct AccessTokenMarginTests {
    @Test(arguments: [(3600, 3563, 3564), (60, 59.3, 59.4), (.infinity, 86_400, nil)] as [(Double, Double, Double?)])
    func `the margin is a hundredth of a short life, and a token without an end has none`(
        lifetime: Double,
        live: Double,
        ended: Double?
    ) {
        let issued = Date.testStart
        let expires = lifetime.isFinite ? issued.addingTimeInterval(lifetime) : nil
        let tokens = Tokens(accessToken: "t", accessTokenExpires: expires, issued: issued)
        #expect(!tokens.accessHasEnded(at: issued.addingTimeInterval(live)))
        if let ended { #expect(tokens.accessHasEnded(at: issued.addingTimeInterval(ended))) }
    }
}
