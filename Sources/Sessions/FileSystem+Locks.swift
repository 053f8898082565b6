import Glibc
import POSIX

extension FileSystem {
    /// Waits for the lock of an open file; it ends with `unlock`, the descriptor or the process.
    func lock(_ file: borrowing FileDescriptor) throws(SystemError) {
        try attempt(.flock) { flock(file.number, LOCK_EX) }
    }

    /// False if somebody else holds the lock.
    func tryLock(_ file: borrowing FileDescriptor) throws(SystemError) -> Bool {
        do {
            try attempt(.flock) { flock(file.number, LOCK_EX | LOCK_NB) }
            return true
        } catch {
            guard error.number == EWOULDBLOCK else { throw error }
            return false
        }
    }

    func unlock(_ file: borrowing FileDescriptor) throws(SystemError) {
        try attempt(.flock) { flock(file.number, LOCK_UN) }
    }
}
