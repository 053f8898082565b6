import Crypto
import Encoding
import Foundation
import Sessions
import TestSupport
import Testing

/// The bytes of version 1: a later program that cannot read them ends every session at its upgrade.
@Suite struct RecordFormatTests {
    @Test func `key derivation equals HKDF-Expand (RFC 5869)`() {
        let key = [UInt8](0..<32)
        for info in ["", "name", String(repeating: "long ", count: 50)] {
            let expected = HKDF<SHA256>.expand(
                pseudoRandomKey: SymmetricKey(data: key),
                info: Array(info.utf8),
                outputByteCount: 32
            )
            let derived = KeyDerivation.expand(key, info: Array(info.utf8))
            #expect(SymmetricKey(data: derived) == expected)
        }
    }

    @Test func `a record of the first version can be read`() async throws {
        let directory = try StoreDirectory()
        let ticket = try #require(Ticket(cookieValue: Base64URL.encode([UInt8](0..<32))))
        let name = Self.name.split(separator: "/").map(String.init)
        let shard = directory.path + "/sessions/" + name[0]
        try FileManager.default.createDirectory(
            atPath: shard,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        let record = try #require(Base64URL.decode(Self.record))
        let url = URL(fileURLWithPath: shard + "/" + name[1])
        try Data(record).write(to: url)
        try FileManager.default.setAttributes([.modificationDate: Date.testStart], ofItemAtPath: url.path)
        #expect(try await directory.store.session(for: ticket, now: .testStart) == .example())
    }

    /// Both were made by a separate program from the description of the format only.
    private static let name = "b9/8494e48c791adb482908432344f5bb"
    private static let record = [
        "TElTUwABAAAAYEHHgvhAEAAAQceDoQAQAAAAAAAeaHR0cHM6Ly93d3cubGlua2VkaW4uY29tL29hdXRoAAAACDc4MmJidGFRAQAA",
        "AAhab8OrIOadjgEAAAAPem9lQGV4YW1wbGUuY29tAWRlZmdoaWprbG1ub_Yl0W_7wcbnYn54m4_TRjQITsGRCgEJn2Rbdg9DIv3Q",
        "069bC4eqvbq0TOXX0QXprcIDuaSyYGCftGxDLhk0Tu00N027mG_-5lR2eQ-DMRvpkro",
    ].joined()
}
