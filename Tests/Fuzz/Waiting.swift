import class Dispatch.DispatchSemaphore
import struct Synchronization.Mutex

/// Waits for asynchronous work on libFuzzer's thread, because each input must be finished when the function returns.
final class Waiting<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    private init() {}

    static func result(_ work: @escaping @Sendable () async -> Value?) -> Value? {
        let waiting = Waiting()
        Task {
            let value = await work()
            waiting.value.withLock { $0 = value }
            waiting.isDone.signal()
        }
        waiting.isDone.wait()
        return waiting.value.withLock { $0 }
    }
}
