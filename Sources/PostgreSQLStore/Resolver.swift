import CPostgreSQL
import Glibc
import POSIX
import Synchronization

/// Looks up host names on threads of their own, because the system's resolver blocks for as long as a name server does not answer.
final class Resolver: Sendable {
    private struct Entry {
        /// The addresses that were found last, even if a later look-up failed.
        var addresses: [String] = []
        /// Why the last look-up failed.
        var fault: String?
        /// When the last look-up ended.
        var ended: ContinuousClock.Instant?
        var isRunning = false
    }

    enum Answer {
        case addresses([String])
        case fault(String)
    }

    /// A look-up that is not older than this is not repeated: all connections of a client open at the same time.
    private static let lifetime = Duration.seconds(1)

    private let lookUp: DatabaseClient.LookUp
    private let wake: @Sendable () -> Void
    private let entries = Mutex<[String: Entry]>([:])

    /// - Parameters:
    ///   - lookUp: blocks until it has an answer.
    ///   - wake: is called when there is one, on another thread.
    init(_ lookUp: @escaping DatabaseClient.LookUp, wake: @escaping @Sendable () -> Void) {
        self.lookUp = lookUp
        self.wake = wake
    }

    /// Begins to look up a name, unless a look-up is under way or has ended recently.
    func begin(_ name: String, now: ContinuousClock.Instant) {
        let isNew = entries.withLock { entries in
            let entry = entries[name] ?? Entry()
            if entry.isRunning { return false }
            if let ended = entry.ended, now - ended < Self.lifetime { return false }
            entries[name, default: entry].isRunning = true
            return true
        }
        guard isNew else { return }
        do throws(SystemError) {
            // Detached, because a look-up cannot be stopped.
            _ = try Thread(named: "pg-resolver") { [self] in
                Thread.blockSignals()
                finish(name, lookUp(name))
            }
        } catch {
            finish(name, .failure(.init(description: "\(error.call): \(error)")))
        }
    }

    private func finish(_ name: String, _ result: Result<[String], DatabaseClient.LookUpFailure>) {
        let now = ContinuousClock.now
        entries.withLock { entries in
            var entry = entries[name] ?? Entry()
            switch result {
            case .success(let addresses): (entry.addresses, entry.fault) = (addresses, nil)
            case .failure(let failure): entry.fault = failure.description
            }
            (entry.ended, entry.isRunning) = (now, false)
            entries[name] = entry
        }
        wake()
    }

    /// The result of a look-up; nil while it is under way.
    func answer(_ name: String) -> Answer? {
        entries.withLock { entries in
            guard let entry = entries[name], !entry.isRunning else { return nil }
            // An address that worked is better than none.
            if let fault = entry.fault, entry.addresses.isEmpty { return .fault(fault) }
            return .addresses(entry.addresses)
        }
    }

    /// What an earlier look-up found, for a name server that does not answer now.
    func earlier(_ name: String) -> [String] {
        entries.withLock { $0[name]?.addresses ?? [] }
    }
}

extension DatabaseClient {
    /// Finds the addresses of a host; may block.
    package typealias LookUp = @Sendable (String) -> Result<[String], LookUpFailure>

    package struct LookUpFailure: Error {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// Asks the system (getaddrinfo).
    package static func systemLookUp(_ name: String) -> Result<[String], LookUpFailure> {
        var text = [CChar](repeating: 0, count: 4_096)
        // unsafe because strings go to C, which copies the name and writes into the array, whose length it is told.
        let error = unsafe cpg_resolve(name, &text, text.count)
        guard error == 0 else {
            // unsafe because the text is a constant of the C library; it is copied.
            let reason = unsafe String(cString: gai_strerror(error))
            return .failure(LookUpFailure(description: "could not look up the host \(name): \(reason)"))
        }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return .success(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
    }
}
