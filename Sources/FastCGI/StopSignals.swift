import CSystem
import Glibc

/// The signals that stop the program, and those that must not, read from a descriptor instead of by a handler.
///
/// Create it before anything else in the program: a signal that is read from a descriptor must be blocked in every
/// thread, and a thread inherits the blocked signals of the thread that starts it.
package final class StopSignals: Sendable {
    /// A signal that arrived.
    enum Arrival: Equatable {
        /// The program must stop; the name of the signal.
        case stop(String)
        /// The program goes on; the name of the signal.
        case ignored(String)
    }

    private static let stopping: [Int32: String] = [SIGTERM: "SIGTERM", SIGINT: "SIGINT"]
    /// By default these end a process, and operators send them to daemons that reload or reopen files.
    private static let ignored: [Int32: String] = [SIGHUP: "SIGHUP", SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2"]

    private let descriptor: Descriptor
    var number: Int32 { descriptor.number }

    /// Blocks `SIGTERM`, `SIGINT`, `SIGHUP`, `SIGUSR1` and `SIGUSR2` until the process ends.
    package init() throws(FastCGIError) {
        var signals = sigset_t()
        // unsafe because the set is handed over by pointers to a local value.
        unsafe sigemptyset(&signals)
        for number in [Int32](Self.stopping.keys) + Self.ignored.keys { unsafe sigaddset(&signals, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        let flags = Int32(SFD_CLOEXEC | SFD_NONBLOCK)
        descriptor = try Descriptor(unsafe signalfd(-1, &signals, flags), "wait for signals")
    }

    /// The next signal that arrived, or nil.
    func next() -> Arrival? {
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        // unsafe because the system call fills in a local value through a pointer.
        guard unsafe Glibc.read(number, &information, size) == size else { return nil }
        let signal = Int32(information.ssi_signo)
        return Self.ignored[signal].map(Arrival.ignored) ?? .stop(Self.stopping[signal] ?? "signal \(signal)")
    }
}
