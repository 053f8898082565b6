import CSystem
import Glibc

/// The one set of descriptors that all workers wait on.
struct Epoll: ~Copyable, Sendable {
    /// What a ready descriptor is.
    enum Token: Equatable {
        case listener(Int)
        case connection(Int32)
        case completions
        case stop
    }

    static let writeOnce = EPOLLOUT.rawValue | EPOLLONESHOT.rawValue
    /// Tells once of each arrival, to one waiting thread.
    static let readEdge = EPOLLIN.rawValue | EPOLLET.rawValue
    static let read = EPOLLIN.rawValue
    static let nothing: UInt32 = 0

    private let descriptor: Descriptor

    init() throws(FastCGIError) {
        descriptor = try Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), "create an epoll set")
    }

    /// Adds a descriptor; false if the system has no room for it.
    func add(_ number: Int32, _ events: UInt32, _ token: Token) -> Bool {
        control(EPOLL_CTL_ADD, number, events, token)
    }

    /// Arms a descriptor again.
    func modify(_ number: Int32, _ events: UInt32, _ token: Token) -> Bool {
        control(EPOLL_CTL_MOD, number, events, token)
    }

    /// Waits until something is ready; nil if a signal came between.
    ///
    /// One at a time, so that what is ready together is shared among the workers and none waits behind another.
    func wait() -> Token? {
        // unsafe because the event holds a C union.
        var event = unsafe epoll_event()
        // unsafe because the system call fills the event in, and nobody else can see it.
        guard unsafe epoll_wait(descriptor.number, &event, 1, -1) == 1 else { return nil }
        // unsafe because the data is a C union; all tokens here are written as its 64-bit member.
        return unsafe Self.token(event.data.u64)
    }

    private func control(_ operation: Int32, _ number: Int32, _ events: UInt32, _ token: Token) -> Bool {
        // unsafe because the data is a C union, and because the system call reads the event through a pointer.
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
