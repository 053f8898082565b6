import FastCGI
import Glibc
import HTTP
import TestSupport
import Testing

/// Each test runs in its own process, so that no other test opens descriptors.
struct DescriptorTests {
    @Test func `five thousand connections leak no descriptor`() async {
        await #expect(processExitsWith: .success) {
            let server = try RunningServer()
            #expect(try await server.exchange(FastCGIRecords.request(path: "/")).status == 200)
            let before = Descriptors.count()
            let request = FastCGIRecords.request("POST", path: "/", body: [1, 2, 3], keep: true)
            for number in 0..<5_000 {
                let client = try server.client()
                try client.sendAtOnce(Array(request.prefix(number % (request.count + 1))))
            }
            // The last connections may still be closing, and each worker has a file in memory by now.
            let bound = before + 4
            var attempts = 0
            while Descriptors.count() > bound, attempts < 100 {
                attempts += 1
                #expect(try await server.exchange(FastCGIRecords.request(path: "/")).status == 200)
            }
            #expect(Descriptors.count() <= bound)
        }
    }

    @Test func `connections leave descriptors for files, and the server continues when they end`() async {
        await #expect(processExitsWith: .success) {
            try Descriptors.limit(to: 256)
            let server = try RunningServer()
            #expect(try await server.exchange(FastCGIRecords.request(path: "/")).status == 200)
            let before = Descriptors.count()
            // Both ends are in this process, and all of them would not reach the limit.
            var clients = try (0..<110).map { _ in try server.client() }
            let event = await server.event { if case .acceptBackingOff = $0 { true } else { false } }
            #expect(event == .acceptBackingOff(errorName: "EMFILE"))
            #expect(Descriptors.count() < before + 2 * clients.count, "the server has not accepted all of them")
            clients.removeAll()
            #expect(try await server.exchange(FastCGIRecords.request(path: "/")).status == 200)
            #expect(await server.event { $0 == .acceptResumed } != nil)
        }
    }

    @Test func `a server without free descriptors waits idle, and continues when there are some`() async {
        await #expect(processExitsWith: .success) {
            let server = try RunningServer()
            #expect(try await server.exchange(FastCGIRecords.request(path: "/")).status == 200)
            let taken = try Descriptors.exhaust(limit: 512, leaving: 1)
            let client = try server.client()
            try await client.send(FastCGIRecords.request(path: "/patient"))
            let event = await server.event { if case .acceptBackingOff = $0 { true } else { false } }
            #expect(event == .acceptBackingOff(errorName: "EMFILE"))
            let before = Descriptors.processorTime()
            #expect(try await !client.isClosed(within: .seconds(1)))
            #expect(Descriptors.processorTime() - before < 0.2)
            for number in taken { close(number) }
            #expect(try await client.answer().bodyText == "/patient")
            #expect(await server.event { $0 == .acceptResumed } != nil)
        }
    }
}
