import Dispatch
import Glibc

/// Waits for the signals that end the program.
struct TerminationSignals {
    private let arrivals: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    /// Starts to catch SIGTERM and SIGINT; returns when no signal can be missed.
    init() async {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let (registrations, registered) = AsyncStream.makeStream(of: Void.self)
        self.arrivals = arrivals
        sources = [SIGTERM, SIGINT].map { number in
            // The default action would end the process before the source receives the signal.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { arrived.yield() }
            source.setRegistrationHandler { registered.yield() }
            source.resume()
            return source
        }
        // Registration happens on another thread; a signal before it would be lost.
        var missing = sources.count
        for await _ in registrations {
            missing -= 1
            if missing == 0 { break }
        }
    }

    /// Returns after the first of the signals.
    func wait() async {
        for await _ in arrivals {
            return
        }
    }
}
