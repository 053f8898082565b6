import Synchronization

import struct FoundationEssentials.Date

/// The versions of LinkedIn's API in the order in which to try them, and the version that LinkedIn accepted last.
///
/// LinkedIn retires a version about a year after its release. The accepted version is remembered for a day, so that a
/// retired version costs one call a day. It is only in memory, because one extra call after a restart does no harm.
final class APIVersions: Sendable {
    private struct Accepted {
        let version: String
        let time: Date
    }

    private static let memory = 86_400.0

    private let all: [String]
    private let accepted = Mutex<Accepted?>(nil)

    init(_ all: [String]) {
        self.all = all
    }

    /// All versions, starting with the one that LinkedIn accepted within the last day.
    func inOrder(at now: Date) -> [String] {
        guard let last = accepted.withLock(\.self), (0..<Self.memory).contains(now.timeIntervalSince(last.time)) else {
            return all
        }
        return [last.version] + all.filter { $0 != last.version }
    }

    /// Remembers a version, until a day has passed since it was first preferred.
    func accept(_ version: String, at now: Date) {
        accepted.withLock { accepted in
            let age = accepted.map { now.timeIntervalSince($0.time) } ?? Self.memory
            guard accepted?.version != version || !(0..<Self.memory).contains(age) else { return }
            accepted = Accepted(version: version, time: now)
        }
    }
}
