import HTTP
import Testing

struct ClientAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "::ffff:192.0.2.1"), ("192.0.2.1", "::FFFF:c000:201"), ("192.0.2.1", "0:0:0:0:0:ffff:192.0.2.1"),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"), ("2001:db8:1:2::1", "2001:0DB8:1:2:0:0:0:7"),
        ("2001:db8::1", "2001:db8:0:0:5::"), ("fe80::1%eth0", "fe80::2"), ("::1", "::"),
        ("64:ff9b::1.2.3.4", "64:ff9b::"),
    ])
    func `addresses of one network are one client`(one: String, other: String) {
        #expect(ClientAddress(one) == ClientAddress(other))
        #expect(ClientAddress(one) != .unknown)
    }

    @Test func `each IPv4 address and each IPv6 network is a separate client`() {
        let texts = [
            "192.0.2.1", "192.0.2.2", "0.0.0.0", "255.255.255.255", "2001:db8:1:2::1", "2001:db8:1:3::1", "2001:db8::1",
            "::1", "0:0:0:1::1", "ff02::1", "",
        ]
        #expect(Set(texts.map(ClientAddress.init)).count == texts.count)
    }

    @Test(arguments: [
        "", " ", "unix:", "/run/socket", "192.0.2", "192.0.2.1.1", "192.0.2.256", "192.0.2.+1", "192.0.2.1:80", ":",
        ":::",
        "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8", "12345::", "::+1", "g::", "::1.2.3.4:5",
        "1.2.3.4::", "::１", String(repeating: "1:", count: 10_000),
    ])
    func `a text that is not an address is the unknown client`(text: String) {
        #expect(ClientAddress(text) == .unknown)
    }
}
