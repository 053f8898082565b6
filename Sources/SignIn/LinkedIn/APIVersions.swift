import Synchronization

import struct FoundationEssentials.Date

/// Versions of LinkedIn's API, in the order in which to ask for them, and the one that was accepted last.
///
/// LinkedIn retires a version about a year after its release. What was accepted is remembered for a day, so that a retired
/// version costs one call a day; in memory only, because one call too many after a restart does no harm.
final class APIVersions: Sendable, Equatable {
    private struct Accepted {
        let version: String
        let time: Date
    }

    private static let memory = 86_400.0

    let all: [String]
    private let accepted = Mutex<Accepted?>(nil)

    init(_ all: [String]) {
        self.all = all
    }

    /// Every version, the one that was accepted within the last day first.
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

    static func == (left: APIVersions, right: APIVersions) -> Bool {
        left.all == right.all
    }
}
