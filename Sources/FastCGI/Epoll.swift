import CSystem
import Glibc
import POSIX

/// The epoll set that all workers wait on.
struct Epoll: ~Copyable, Sendable {
    /// What a ready descriptor belongs to.
    enum Token: Equatable {
        case listener(Int)
        case connection(Int32)
        case completions
        case stop
    }

    static let writeOnce = EPOLLOUT.rawValue | EPOLLONESHOT.rawValue
    /// Reports each arrival once, to one waiting thread.
    static let readEdge = EPOLLIN.rawValue | EPOLLET.rawValue
    static let read = EPOLLIN.rawValue
    static let nothing: UInt32 = 0

    private let descriptor: FileDescriptor

    init() throws(FastCGIError) {
        descriptor = FileDescriptor(
            try FastCGIError.attempt("epoll_create1", to: "create an epoll set") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
        )
    }

    /// Adds a descriptor; returns false if the system has no memory for it.
    func add(_ number: Int32, _ events: UInt32, _ token: Token) -> Bool {
        control(EPOLL_CTL_ADD, number, events, token)
    }

    /// Arms a descriptor again.
    func modify(_ number: Int32, _ events: UInt32, _ token: Token) -> Bool {
        control(EPOLL_CTL_MOD, number, events, token)
    }

    /// Waits until a descriptor is ready; nil if a signal interrupted the call.
    ///
    /// Returns one descriptor at a time, so that the workers share those that are ready together and none waits behind
    /// another.
    func wait() -> Token? {
        // unsafe because the event contains a C union.
        var event = unsafe epoll_event()
        // unsafe because the call writes to the local variable through a pointer.
        guard unsafe epoll_wait(descriptor.number, &event, 1, -1) == 1 else { return nil }
        // unsafe because the data is a C union; `control` always writes its 64-bit member.
        return unsafe Self.token(event.data.u64)
    }

    private func control(_ operation: Int32, _ number: Int32, _ events: UInt32, _ token: Token) -> Bool {
        // unsafe because the data is a C union, and because the call reads the event through a pointer.
        var event = unsafe epoll_event(events: events, data: epoll_data_t(u64: Self.data(token)))
        return unsafe epoll_ctl(descriptor.number, operation, number, &event) == 0
    }

    private static func data(_ token: Token) -> UInt64 {
        switch token {
        case .connection(let number): UInt64(UInt32(bitPattern: number))
        case .listener(let index): 1 << 32 | UInt64(index)
        case .completions: 2 << 32
        case .stop: 3 << 32
        }
    }

    private static func token(_ data: UInt64) -> Token {
        switch data >> 32 {
        case 0: .connection(Int32(bitPattern: UInt32(truncatingIfNeeded: data)))
        case 1: .listener(Int(data & 0xffff_ffff))
        case 2: .completions
        default: .stop
        }
    }
}

/// An event counter of the system (eventfd(2)): wakes a thread that waits on a descriptor.
struct Wakeup: ~Copyable, Sendable {
    private let descriptor: FileDescriptor
    var number: Int32 { descriptor.number }

    init() throws(FastCGIError) {
        descriptor = FileDescriptor(
            try FastCGIError.attempt("eventfd", to: "create an event counter") {
                eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
            }
        )
    }

    func signal() {
        _ = eventfd_write(descriptor.number, 1)
    }

    func clear() {
        var count: eventfd_t = 0
        // unsafe because the call writes to the local variable through a pointer.
        _ = unsafe eventfd_read(descriptor.number, &count)
    }
}
