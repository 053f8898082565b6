import FastCGI
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Diagnosis
@testable import Settings

@Suite struct SocketCheckTests {
    @Test(arguments: [true, false])
    func `a socket whose permissions systemd is still changing is not reported`(isChanged: Bool) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("socket")
        let listener = try Listener.unix(path: path, mode: 0o600)
        defer { withExtendedLifetime(listener) {} }
        let environment = [
            "LINKEDIN_CLIENT_ID": "a", "LINKEDIN_CLIENT_SECRET": "b", "SIGNIN_BASE_URL": "https://example.com",
            "SIGNIN_LISTEN": "unix:\(path)",
        ]
        let configuration = try Configuration(SettingSources(environment: environment, file: nil) { _ in "" })
        let waits = Atomic(0)
        let report = SocketCheck(configuration, webUser: "nobody") {
            waits.add(1, ordering: .relaxed)
            let mode = isChanged ? 0o666 : 0o600
            try? FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }.run()
        #expect(waits.load(ordering: .relaxed) == 1)
        #expect(report.findings.map(\.code) == [isChanged ? .socketOpen : .socketDenied])
    }
}
