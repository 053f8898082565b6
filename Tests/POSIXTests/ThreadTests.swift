import POSIX
import Synchronization
import Testing

import struct Foundation.Data
import struct Foundation.URL

struct ThreadTests {
    @Test func `a thread runs under its name until it is joined`() throws {
        let name = Mutex("")
        let thread = try Thread(named: "short-name") {
            let data = try? Data(contentsOf: URL(filePath: "/proc/thread-self/comm"))
            name.withLock { $0 = String(decoding: data ?? Data(), as: UTF8.self) }
        }
        thread.join()
        #expect(name.withLock { $0 } == "short-name\n")
    }

    @Test func `a thread that is not joined ends by itself`() async throws {
        let ended = AsyncStream.makeStream(of: Void.self)
        _ = try Thread { ended.continuation.finish() }
        for await _ in ended.stream {}
    }
}
