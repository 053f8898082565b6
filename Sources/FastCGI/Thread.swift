import Glibc

/// A thread of the system's, outside of Swift's shared pool, which must not wait for descriptors.
enum Thread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that nobody joins.
    static func start(_ run: @escaping @Sendable () -> Void) throws(FastCGIError) {
        var thread = pthread_t()
        // unsafe because the body goes over as a raw pointer: retained here once, released there once.
        let body = unsafe Unmanaged.passRetained(Body(run))
        let status = unsafe pthread_create(
            &thread,
            nil,
            { raw in
                if let raw = unsafe raw { unsafe Unmanaged<Body>.fromOpaque(raw).takeRetainedValue().run() }
                return nil
            },
            body.toOpaque()
        )
        guard status == 0 else {
            unsafe body.release()
            throw FastCGIError("start a thread", code: status)
        }
        pthread_detach(thread)
    }
}
