/// Where events go.
package struct Log: Sendable {
    private let least: LogLevel
    private let write: @Sendable (LogEvent) -> Void

    /// - Parameters:
    ///   - least: events below it are dropped.
    ///   - write: takes an event at once; it must not block, for it is called on the hot path.
    package init(least: LogLevel = .info, write: @escaping @Sendable (LogEvent) -> Void) {
        self.least = least
        self.write = write
    }

    package func callAsFunction(_ event: LogEvent) {
        guard event.level >= least else { return }
        write(event)
    }
}
