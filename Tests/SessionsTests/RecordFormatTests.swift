import Crypto
import Encoding
import Foundation
import TestSupport
import Testing

@testable import Sessions

/// The bytes of each version: a later program that cannot read them ends every session at its upgrade.
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

    @Test(arguments: Version.allCases)
    func `a record of each version can be read`(version: Version) async throws {
        let directory = try StoreDirectory()
        let ticket = try #require(Ticket(cookieValue: Base64URL.encode([UInt8](0..<32))))
        let name = Self.name.split(separator: "/").map(String.init)
        let shard = directory.path + "/sessions/" + name[0]
        try FileManager.default.createDirectory(
            atPath: shard,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        let url = URL(fileURLWithPath: shard + "/" + name[1])
        try Data(try version.record).write(to: url)
        try FileManager.default.setAttributes([.modificationDate: Date.testStart], ofItemAtPath: url.path)
        let expected = try version.session
        #expect(try await directory.store.session(for: ticket, now: .testStart) == expected)
        let checked = try await directory.store.check(ticket, withTokens: false, now: .testStart)
        #expect(checked?.identity == expected.identity)
    }

    /// An earlier program reads the session: it knows the version and every byte of the header.
    @Test(arguments: Version.allCases)
    func `a session is written in the earliest version that can contain it`(version: Version) throws {
        let key = SymmetricKey(size: .bits256)
        let (session, record, header) = (try version.session, try version.record, Int(version.headerCount))
        let bytes = try Record.seal(session, key: key, nonce: [UInt8](repeating: 0, count: 12))
        #expect(bytes.prefix(header).elementsEqual(record.prefix(header)))
        let owner = TokenOwner(session.identity).bytes
        #expect(owner[5] == version.rawValue)
        #expect(TokenOwner(bytes: owner)?.identity == session.identity)
    }

    @Test func `a record whose claims are damaged is not a session`() throws {
        let record = try Version.claims.record
        let start = record.count - 28 - 61 - 0x54
        for index in start..<record.count - 28 - 61 {
            var damaged = record
            damaged[index] = 0x7f
            if case .header(let header, _) = RecordHeader.read(damaged) { #expect(header.identity.claims != nil) }
        }
        var endless = record
        endless[start - 1] = 0x55
        #expect(RecordHeader.read(endless) == .damaged)
    }

    enum Version: UInt8, CaseIterable {
        case linkedIn = 1
        case provider = 2
        case claims = 3

        var session: Session {
            get throws {
                var session = Session.example()
                if self != .linkedIn { session.identity.provider = try #require(ProviderID("other")) }
                if self == .claims { session.identity.claims = RecordFormatTests.claims }
                return session
            }
        }

        var record: [UInt8] {
            get throws { try #require(Base64URL.decode(RecordFormatTests.records[Int(rawValue) - 1])) }
        }

        var headerCount: UInt8 { 10 + [0x60, 0x69, 0xc1][Int(rawValue) - 1] }
    }

    private static let claims = KeptClaims(
        [
            ("groups", .values(["staff", "ad,min"])), ("level", .values(["3"])), ("office", .unusable(.absent)),
            ("address", .unusable(.type)),
        ],
        groups: "groups"
    )

    /// All were made by a separate program from the description of the format only.
    private static let name = "b9/8494e48c791adb482908432344f5bb"
    private static let records = [
        [
            "TElTUwABAAAAYEHHgvhAEAAAQceDoQAQAAAAAAAeaHR0cHM6Ly93d3cubGlua2VkaW4uY29tL29hdXRoAAAACDc4MmJidGFRAQAA",
            "AAhab8OrIOadjgEAAAAPem9lQGV4YW1wbGUuY29tAWRlZmdoaWprbG1ub_Yl0W_7wcbnYn54m4_TRjQITsGRCgEJn2Rbdg9DIv3Q",
            "069bC4eqvbq0TOXX0QXprcIDuaSyYGCftGxDLhk0Tu00N027mG_-5lR2eQ-DMRvpkro",
        ],
        [
            "TElTUwACAAAAaQAAAAVvdGhlckHHgvhAEAAAQceDoQAQAAAAAAAeaHR0cHM6Ly93d3cubGlua2VkaW4uY29tL29hdXRoAAAACDc4",
            "MmJidGFRAQAAAAhab8OrIOadjgEAAAAPem9lQGV4YW1wbGUuY29tAWRlZmdoaWprbG1ub_Yl0W_7wcbnYn54m4_TRjQITsGRCgEJ",
            "n2Rbdg9DIv3Q069bC4eqvbq0TOXX0QXprcIDuaSyYGCftGxDLhk0Tu00NzBYMgYLuycFqBi0UVGJIYE",
        ],
        [
            "TElTUwADAAAAwQAAAAVvdGhlckHHgvhAEAAAQceDoQAQAAAAAAAeaHR0cHM6Ly93d3cubGlua2VkaW4uY29tL29hdXRoAAAACDc4",
            "MmJidGFRAQAAAAhab8OrIOadjgEAAAAPem9lQGV4YW1wbGUuY29tAQAAAFSAAAAABmdyb3VwcwAAABMAAAAFc3RhZmYAAAAGYWQs",
            "bWluAAAAAAVsZXZlbAAAAAUAAAABMwEAAAAGb2ZmaWNlAAAAAAIAAAAHYWRkcmVzcwAAAABkZWZnaGlqa2xtbm_2JdFv-8HG52J-",
            "eJuP00Y0CE7BkQoBCZ9kW3YPQyL90NOvWwuHqr26tEzl19EF6a3CA7mksmBgn7RsQy4ZNE7tNDdUfR5vxUpLFvBc0ZrdqUuq",
        ],
    ].map { $0.joined() }
}
