import FastCGI
import Foundation
import HTTP
import Testing

@Suite(.timeLimit(.minutes(1))) struct AdminServerTests {
    private func ask(_ path: String, _ route: @escaping AdminServer.Route, _ options: [String] = []) throws -> Data {
        let directory = try RunningServer.makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let server = try AdminServer(listener: .unix(path: directory + "/admin"), routes: [path: route])
        try server.start()
        defer { server.stop() }
        let (curl, output) = (Process(), Pipe())
        curl.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        curl.arguments = ["-s", "--unix-socket", directory + "/admin"] + options + ["http://localhost" + path]
        curl.standardOutput = output
        try curl.run()
        let received = output.fileHandleForReading.readDataToEndOfFile()
        curl.waitUntilExit()
        #expect(curl.terminationStatus == 0)
        return received
    }

    @Test func `an answer that is larger than the buffer of a socket arrives completely`() throws {
        let body = (0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 / 251) }
        #expect(try ask("/large", { _ in .init(.ok, body: body) }) == Data(body))
    }

    @Test func `an answer can depend on all Accept fields of the request`() throws {
        let route: AdminServer.Route = { .init(.ok, body: Array(($0 ?? "none").utf8)) }
        let fields = ["-H", "accept: text/a;q=0.5", "-H", "Accept: text/b"]
        #expect(try ask("/accept", route, fields) == Data(" text/a;q=0.5, text/b".utf8))
        #expect(try ask("/accept", route, ["-H", "Accept:"]) == Data("none".utf8))
    }
}
