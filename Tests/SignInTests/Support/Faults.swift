import Glibc
import Sessions
import Synchronization

/// A disk that fails one kind of call for as long as a test wants.
final class Faults: Sendable {
    private let failing = Mutex<FileSystem.Call?>(nil)

    func fail(_ call: FileSystem.Call?) {
        failing.withLock { $0 = call }
    }

    func number(for call: FileSystem.Call) -> Int32? {
        failing.withLock { $0 == call } ? EIO : nil
    }
}
