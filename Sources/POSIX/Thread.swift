import CSystem
import Glibc

/// A thread of its own, outside of Swift's shared pool, whose threads must not block.
///
/// The thread is joined, or detached on deinit.
package struct Thread: ~Copyable {
    private final class Body {
        private let name: String?
        private let body: () -> Void

        init(_ name: String?, _ body: sending @escaping () -> Void) {
            self.name = name
            self.body = body
        }

        func run() {
            // unsafe because the name becomes a C string, which the call copies.
            if let name { _ = unsafe pthread_setname_np(pthread_self(), name) }
            body()
        }
    }

    private let handle: pthread_t

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: The name that `ps` and `top` show, at most 15 bytes; nil for the name of the program.
    ///   - run: Runs on the thread, which ends when it returns.
    /// - Throws: `SystemError` if the system refuses a thread.
    package init(named name: String? = nil, _ run: sending @escaping () -> Void) throws(SystemError) {
        var handle = pthread_t()
        // unsafe because C gets the body as a raw pointer: retained here once, released by the thread once.
        let body = unsafe Unmanaged.passRetained(Body(name, run))
        let number = unsafe pthread_create(
            &handle,
            nil,
            { raw in
                // unsafe because the pointer comes from C: it is the one retained above.
                if let raw = unsafe raw { unsafe Unmanaged<Body>.fromOpaque(raw).takeRetainedValue().run() }
                return nil
            },
            body.toOpaque()
        )
        guard number == 0 else {
            // unsafe because it releases the body by hand; no thread started that would release it.
            unsafe body.release()
            throw SystemError("pthread_create", number)
        }
        self.handle = handle
    }

    deinit {
        pthread_detach(handle)
    }

    /// Waits until the thread has ended.
    package consuming func join() {
        let handle = handle
        discard self
        _ = pthread_join(handle, nil)
    }

    /// Blocks all signals in the calling thread, so that other threads get them.
    package static func blockSignals() {
        var all = sigset_t()
        // unsafe because C gets the set as a pointer to a local variable.
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
    }
}
