import Glibc
import Sessions
import Synchronization

/// A file system that fails one kind of call until the test ends the fault.
final class Faults: Sendable {
    private let failing = Mutex<FileSystem.Call?>(nil)

    func fail(_ call: FileSystem.Call?) {
        failing.withLock { $0 = call }
    }

    func number(for call: FileSystem.Call) -> Int32? {
        failing.withLock { $0 == call } ? EIO : nil
    }
}
