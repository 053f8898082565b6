/// Passes events of a minimum level to a writer.
package struct Log: Sendable {
    private let least: LogLevel
    private let write: @Sendable (LogEvent) -> Void

    /// - Parameters:
    ///   - least: The minimum level; events below it are dropped.
    ///   - write: Writes one event; it must not block, because the session check calls it.
    package init(least: LogLevel = .info, write: @escaping @Sendable (LogEvent) -> Void) {
        self.least = least
        self.write = write
    }

    /// Writes an event if its level is high enough.
    package func callAsFunction(_ event: LogEvent) {
        guard event.level >= least else { return }
        write(event)
    }
}
