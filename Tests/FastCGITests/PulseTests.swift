import Dispatch
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import FastCGI

/// The supervisor finds threads that make no progress, and only those.
struct PulseTests {
    /// Looks at the threads of a server without workers until a condition is true; a minute is too long.
    private static func look(
        _ taker: PulseTaker,
        limit: Duration,
        until condition: (Pulse) -> Bool
    ) -> (events: [ServerEvent], isFound: Bool) {
        let last = Mutex(Pulse())
        taker.start(PulseCheck(every: .zero) { pulse in last.withLock { $0 = pulse } })
        let events = Mutex<[ServerEvent]>([])
        let end = ContinuousClock.now + .seconds(60)
        repeat {
            taker.take(limit: limit, waiting: { 0 }, tell: { event in events.withLock { $0.append(event) } })
        } while !condition(last.withLock(\.self)) && .now < end
        return (events.withLock(\.self), .now < end)
    }

    @Test func `a worker that is busy with one request for longer than the limit hangs`() {
        let taker = PulseTaker(workers: 2)
        taker.workers[1].beginOrEnd()
        #expect(Self.look(taker, limit: .seconds(3600)) { $0.busyWorkers == 1 }.events == [])
        // On a busy machine, the shared pool may be as slow as the limit too.
        let ofPool: [ServerEvent] = [.threadHung(.sharedPool), .threadResumed(.sharedPool)]
        let found = Self.look(taker, limit: .milliseconds(20)) { $0.hung.contains(.worker) }
        #expect(found.isFound && found.events.filter { !ofPool.contains($0) } == [.threadHung(.worker)])
        taker.workers[1].beginOrEnd()
        let last = Self.look(taker, limit: .milliseconds(20)) { $0.busyWorkers == 0 }
        #expect(last.events.filter { !ofPool.contains($0) } == [.threadResumed(.worker)])
    }

    @Test func `a worker with always another request, or without any, does not hang`() {
        let taker = PulseTaker(workers: 2)
        taker.workers[0].beginOrEnd()
        let result = Self.look(taker, limit: .milliseconds(200)) { pulse in
            taker.workers[0].countRequest()
            return pulse.requests > 0 && !pulse.hung.contains(.worker) && pulse.requests > 100_000
        }
        #expect(!result.events.contains(.threadHung(.worker)))
    }

    @Test func `a shared pool whose threads are all blocked hangs`() async {
        await #expect(processExitsWith: .success) {
            // On its own thread, because the pool does not run anything else.
            let result = await withCheckedContinuation { continuation in
                DispatchQueue(label: "supervisor").async {
                    let block = DispatchSemaphore(value: 0)
                    let taker = PulseTaker(workers: 1)
                    for _ in 0..<256 { Task { PulseTests.block(on: block) } }
                    let found = PulseTests.look(taker, limit: .milliseconds(300)) { $0.hung == [.sharedPool] }
                    for _ in 0..<256 { block.signal() }
                    let resumed = PulseTests.look(taker, limit: .seconds(60)) { $0.hung.isEmpty }
                    continuation.resume(returning: (found, resumed))
                }
            }
            #expect(result.0.isFound && result.0.events == [.threadHung(.sharedPool)])
            #expect(result.1.isFound && result.1.events == [.threadResumed(.sharedPool)])
        }
    }

    private static func block(on semaphore: DispatchSemaphore) {
        semaphore.wait()
    }
}
