import CSystem
import Glibc
import POSIX

/// The signals that stop the program or reload its settings, and those that must not end it, read from a descriptor
/// instead of by a handler.
///
/// Create it before the program starts a thread: these signals must be blocked in every thread, and a thread inherits
/// the blocked signals of the thread that starts it.
package final class StopSignals: Sendable {
    /// A signal that arrived.
    enum Arrival: Equatable {
        /// The program must stop; the name of the signal.
        case stop(String)
        /// The program must read its settings again; the name of the signal.
        case reload(String)
        /// The program continues; the name of the signal.
        case ignored(String)
    }

    private static let stopping: [Int32: String] = [SIGTERM: "SIGTERM", SIGINT: "SIGINT"]
    private static let reloading: [Int32: String] = [SIGHUP: "SIGHUP"]
    /// By default these end a process, and operators send them to daemons that reopen files.
    private static let ignored: [Int32: String] = [SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2"]

    private let descriptor: FileDescriptor
    var number: Int32 { descriptor.number }

    /// Blocks `SIGTERM`, `SIGINT`, `SIGHUP`, `SIGUSR1` and `SIGUSR2` until the process ends.
    package init() throws(FastCGIError) {
        var signals = sigset_t()
        // unsafe because the calls use the set through pointers to the local variable.
        unsafe sigemptyset(&signals)
        for number in [Int32](Self.stopping.keys) + Self.reloading.keys + Self.ignored.keys {
            unsafe sigaddset(&signals, number)
        }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        descriptor = FileDescriptor(
            try FastCGIError.attempt("signalfd", to: "wait for signals") {
                unsafe signalfd(-1, &signals, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
            }
        )
    }

    /// The next signal that arrived, or nil.
    func next() -> Arrival? {
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        // unsafe because the call writes to the local variable through a pointer.
        guard unsafe Glibc.read(number, &information, size) == size else { return nil }
        let signal = Int32(information.ssi_signo)
        return Self.ignored[signal].map(Arrival.ignored) ?? Self.reloading[signal].map(Arrival.reload)
            ?? .stop(Self.stopping[signal] ?? "signal \(signal)")
    }
}
