import CSystem
import Glibc

/// An event counter of the system: wakes a thread that waits on a descriptor.
struct Wakeup: ~Copyable, Sendable {
    private let descriptor: Descriptor
    var number: Int32 { descriptor.number }

    init() throws(FastCGIError) {
        descriptor = try Descriptor(
            eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)),
            "create an event counter"
        )
    }

    func signal() {
        _ = eventfd_write(descriptor.number, 1)
    }

    func clear() {
        var count: eventfd_t = 0
        // unsafe because the system call fills in a local value.
        _ = unsafe eventfd_read(descriptor.number, &count)
    }
}
