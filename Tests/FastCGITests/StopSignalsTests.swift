import FastCGI
import Glibc
import HTTP
import TestSupport
import Testing

struct StopSignalsTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal stops the server`(signal: Int32) async {
        await #expect(processExitsWith: .success) { [signal] in
            let directory = try RunningServer.makeDirectory()
            let (events, tell) = AsyncStream.makeStream(of: ServerEvent.self)
            let thread = AsyncStream.makeStream(of: pthread_t.self)
            let listener = try Listener.unix(path: directory + "/socket")
            let server = try Server(options: .forTests(), listeners: [listener]) {
                try .text($0.path)
            } events: {
                tell.yield($0)
            }
            // The signal goes to the thread that blocks it: the other threads of the test started before.
            let running = Background.run {
                let signals = try StopSignals()
                thread.continuation.yield(pthread_self())
                try server.run(until: signals)
            }
            let target = try #require(await thread.stream.first { _ in true })
            #expect(pthread_kill(target, signal) == 0)
            try await running.value
            tell.finish()
            let names = [SIGTERM: "SIGTERM", SIGINT: "SIGINT"]
            #expect(await events.contains(.stopping(signal: names[signal])))
            // unsafe because the path becomes a C string, valid during the call.
            _ = unsafe rmdir(directory)
        }
    }
}
