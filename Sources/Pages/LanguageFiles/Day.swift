package import struct FoundationEssentials.Date

/// A day of the calendar in UTC.
package struct Day: Sendable, Equatable {
    let year: Int
    /// From 1 to 12.
    let month: Int
    let day: Int

    /// The day of a time.
    package init(_ date: Date) {
        self.init(iso8601: date.formatted(.iso8601))
    }

    /// Reads a text that begins with a date such as 2027-01-31; the beginning of 1970 for any other text.
    init(iso8601 text: String) {
        let parts = text.prefix(10).split(separator: "-").compactMap { Int($0) }
        (year, month, day) = parts.count == 3 ? (parts[0], parts[1], parts[2]) : (1970, 1, 1)
    }
}
