import CSystem
import Glibc
import HTTP

/// One thread's share of a server: takes what is ready, runs handlers, writes answers, and never waits for a peer.
struct Worker: ~Copyable {
    let engine: Engine
    var input = InputBuffer()
    var exchanges: [Exchange] = []
    /// Made when first needed; nil if the system has no room for it.
    private(set) lazy var spool = try? Spool()
    private var nextID = UInt64.random(in: 0...UInt64.max)

    init(engine: Engine) {
        self.engine = engine
    }

    /// Works until the server has stopped.
    mutating func run() {
        while !engine.isStopped {
            switch engine.epoll.wait() {
            case .listener(let index): accept(from: index)
            case .connection(let number): resume(number)
            case .completions: finishSuspended()
            case .stop, nil: break
            }
        }
    }

    /// A number for a request; the system's generator would cost a system call each time (SplitMix64).
    mutating func makeID() -> RequestID {
        nextID &+= 0x9e37_79b9_7f4a_7c15
        var mixed = nextID
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return RequestID(mixed ^ (mixed >> 31))
    }

    /// An exchange for a connection, one used before if there is one.
    mutating func makeExchange(for connection: Connection) -> Exchange {
        let exchange = exchanges.popLast() ?? Exchange()
        exchange.id = makeID()
        exchange.connection = connection
        return exchange
    }

    mutating func recycle(_ exchange: Exchange) {
        exchange.reset()
        if exchanges.count < 8 { exchanges.append(exchange) }
    }
}
