import Glibc
import POSIX

/// Descriptors that connections leave free.
///
/// The program needs them for the files of sessions and for calls to the provider. libdispatch needs one too: it ends the
/// process if it cannot open a file in `/proc` while tasks wait for a thread.
struct DescriptorReserve {
    /// The first number of the reserve.
    ///
    /// A new descriptor gets the lowest free number, so the numbers below are in use when a connection gets this one.
    private let first: Int32

    /// Reserves a quarter of the descriptors that the process may open, and at most 128.
    init() {
        let limit = Int32(clamping: ProcessFigures().descriptorLimit ?? .max)
        first = limit - min(128, limit / 4)
    }

    /// Whether a new connection with this descriptor took it from the reserve.
    func contains(_ number: Int32) -> Bool { number >= first }

    /// Asks whether a new connection would get a number below the reserve.
    ///
    /// - Parameter number: An open descriptor, which is duplicated for a moment.
    /// - Returns: False also if no descriptor is free.
    func isUntouched(duplicating number: Int32) -> Bool {
        let next = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard next >= 0 else { return false }
        close(next)
        return !contains(next)
    }
}
