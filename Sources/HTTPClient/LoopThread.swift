import CCurl
import Glibc
import HTTP

/// The thread of a loop, joined once or left to end by itself.
struct LoopThread: ~Copyable {
    private let raw: pthread_t

    /// Starts a thread that runs a loop and then lets go of it.
    ///
    /// - Parameter loop: used by nobody else from here on.
    /// - Throws: `TransportError` if the system gives no thread.
    init(running loop: sending TransferLoop) throws(TransportError) {
        var raw = pthread_t()
        // Unsafe because the loop goes through C as a bare pointer: it is retained here and released by the thread.
        let pointer = unsafe Unmanaged.passRetained(loop).toOpaque()
        let code = unsafe pthread_create(
            &raw,
            nil,
            { pointer in
                // Unsafe because the pointer comes from C: it is the one retained above, taken once.
                guard let pointer = unsafe pointer else { return nil }
                LoopThread.blockSignals()
                // Unsafe because a string goes to C, which copies it: the name that `ps` and `top` show.
                unsafe pthread_setname_np(pthread_self(), "http-client")
                unsafe Unmanaged<TransferLoop>.fromOpaque(pointer).takeRetainedValue().run()
                return nil
            },
            pointer
        )
        guard code == 0 else {
            // Unsafe because it releases what was retained above, which because no thread started nobody else does.
            unsafe Unmanaged<TransferLoop>.fromOpaque(pointer).release()
            throw TransportError(.unreachable, detail: "no thread: error \(code)")
        }
        self.raw = raw
    }

    deinit {
        pthread_detach(raw)
    }

    /// Waits until the thread is gone.
    consuming func join() {
        let raw = raw
        discard self
        _ = pthread_join(raw, nil)
    }

    /// Leaves signals to the program's other threads.
    ///
    /// Also SIGPIPE, which libcurl no longer ignores once it is told to keep its hands off signals.
    private static func blockSignals() {
        var all = sigset_t()
        // Unsafe because C gets pointers, to a local variable.
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
    }
}
