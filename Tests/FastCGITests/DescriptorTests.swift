import Glibc
import HTTP
import POSIX
import TestSupport
import Testing

@testable import FastCGI

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

    @Test func `a server with few free descriptors waits idle, and continues when there are more`() async {
        await #expect(processExitsWith: .success) {
            try Descriptors.limit(to: 512)
            let gate = Gate()
            let server = try RunningServer { request in
                if request.path == "/held" { await gate.pass() }
                return try .text(request.path)
            }
            let held = try server.client()
            try await held.send(FastCGIRecords.request(path: "/held"))
            await gate.arrived(1)
            var (taken, waiting): ([Int32], FastCGIClient?) = ([], nil)
            // The first client takes a descriptor of the reserve and is answered. So is each client that finds a
            // descriptor which was closed meanwhile, for example by a connection that ended or by libdispatch.
            for _ in 0..<10 where waiting == nil {
                // Not all of them: libdispatch ends a process that cannot open a file in `/proc`.
                taken += Descriptors.exhaust(leaving: 16)
                let client = try server.client()
                try await client.send(FastCGIRecords.request(path: "/patient"))
                let before = Descriptors.processorTime()
                do {
                    #expect(try await client.answer(within: .seconds(1)).bodyText == "/patient")
                } catch FastCGIClient.Failure.timedOut {
                    #expect(Descriptors.processorTime() - before < 0.2)
                    waiting = client
                }
            }
            let event = await server.event { if case .acceptBackingOff = $0 { true } else { false } }
            #expect(event == .acceptBackingOff(errorName: "EMFILE"))
            for number in taken { close(number) }
            #expect(try await waiting?.answer().bodyText == "/patient")
            #expect(await server.event { $0 == .acceptResumed } != nil)
            gate.open()
            #expect(try await held.answer().bodyText == "/held")
        }
    }

    @Test func `a listener without a free descriptor says so, and accepts when there is one`() async {
        await #expect(processExitsWith: .success) {
            let listener = try Listener.tcp(host: "127.0.0.1", port: 0)
            let client = try FastCGIClient(port: try #require(listener.port))
            try Descriptors.limit(to: 512)
            let taken = Descriptors.exhaust(leaving: 0)
            let outcomes = [listener.accept(), listener.accept()]
            for number in taken { close(number) }
            for outcome in outcomes {
                guard case .exhausted(let error) = outcome else {
                    Issue.record("\(outcome)")
                    continue
                }
                #expect(error.name == "EMFILE")
            }
            guard case .connection(let number) = listener.accept() else { throw SystemError("accept4", ECONNREFUSED) }
            close(number)
            _ = consume client
        }
    }
}
