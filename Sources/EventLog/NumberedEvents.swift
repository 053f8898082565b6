import HTTP

/// Limits how many events with a request number have a line of their own.
///
/// A visitor reports the number of an error page, which the page shows only if the log has the line. One visitor does not open more
/// pages than the limit permits; a flood from one address, or from very many, has to be counted.
struct NumberedEvents {
    /// Lines in a minute for one client.
    static let limit = 30
    /// Lines in a minute for all clients together.
    static let total = 6_000

    private var start: ContinuousClock.Instant?
    private var lines: [ClientAddress: Int] = [:]
    private var count = 0

    /// Returns whether an event of a client may have a line now, and counts the line.
    mutating func take(_ client: ClientAddress, at now: ContinuousClock.Instant) -> Bool {
        if start.map({ now >= $0 + RepeatedEvents.interval }) ?? true { (start, lines, count) = (now, [:], 0) }
        guard count < Self.total, lines[client, default: 0] < Self.limit else { return false }
        lines[client, default: 0] += 1
        count += 1
        return true
    }
}
