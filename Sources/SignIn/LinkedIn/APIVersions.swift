import Synchronization

package import struct FoundationEssentials.Date

/// Versions of LinkedIn's API, in the order in which to ask for them, and the one that was accepted last.
///
/// LinkedIn retires a version about a year after its release. What was accepted is remembered for a day, so that a retired
/// version costs one call a day; in memory only, because one call too many after a restart does no harm.
package final class APIVersions: Sendable, Equatable {
    private struct Accepted {
        let version: String
        let time: Date
    }

    private static let memory = 86_400.0

    package let all: [String]
    private let accepted = Mutex<Accepted?>(nil)

    package init(_ all: [String]) {
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

    /// The versions whose month is a year ago or longer.
    func old(at now: Date) -> [String] {
        let (year, month) = CivilDate.yearAndMonth(of: now)
        return all.filter { version in
            guard let number = Int(version.prefix(6)), version.prefix(6).utf8.count == 6 else { return false }
            return year * 12 + month - (number / 100 * 12 + number % 100) >= 12
        }
    }

    package static func == (left: APIVersions, right: APIVersions) -> Bool {
        left.all == right.all
    }
}

extension ProfileSource {
    /// What `check` says of versions that LinkedIn has probably retired.
    package func oldVersions(at now: Date) -> [String] {
        guard product == .verified else { return [] }
        return versions.old(at: now).map { version in
            "LINKEDIN_VERSION: \(version) is a year old or older, and LinkedIn retires versions after about a year; "
                + "put a newer one first"
        }
    }
}

/// A date of the Gregorian calendar in UTC.
private enum CivilDate {
    /// By counting days from March of the year 0, so that a leap day is the last of its year.
    static func yearAndMonth(of date: Date) -> (year: Int, month: Int) {
        let days = Int((date.timeIntervalSince1970 / 86_400).rounded(.down)) + 719_468
        let era = days / 146_097
        let day = days % 146_097
        let yearOfEra = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month)
    }
}
