import CFCGI
import Glibc

/// The signals that end the program, taken from a descriptor instead of by a handler.
///
/// Make it first of all in the program: a signal that is to be read must be blocked in every thread, and threads take
/// over what is blocked from the one that starts them.
package final class StopSignals: Sendable {
    private let descriptor: Descriptor
    var number: Int32 { descriptor.number }

    /// Blocks `SIGTERM` and `SIGINT` for good.
    package init() throws(FastCGIError) {
        var signals = sigset_t()
        // unsafe because the set is handed over by pointers to a local value.
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGTERM)
        unsafe sigaddset(&signals, SIGINT)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        let flags = Int32(SFD_CLOEXEC | SFD_NONBLOCK)
        descriptor = try Descriptor(unsafe signalfd(-1, &signals, flags), "wait for signals")
    }

    /// The name of a signal that has come, or nil.
    func next() -> String? {
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        // unsafe because the system call fills in a local value through a pointer.
        guard unsafe Glibc.read(number, &information, size) == size else { return nil }
        return information.ssi_signo == UInt32(SIGTERM) ? "SIGTERM" : "SIGINT"
    }
}
