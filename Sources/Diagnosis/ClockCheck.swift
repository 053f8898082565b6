package import struct FoundationEssentials.Date

/// Compares the clock of this machine with that of a server.
package struct ClockCheck: Sendable {
    /// Where the time came from.
    package let server: String
    /// Seconds that this machine is ahead of the server; negative if it is behind.
    ///
    /// 0 within the precision of the date.
    package let ahead: Double

    /// Compares two times of this machine with a date of a server; nil if the text is not a date.
    ///
    /// - Parameters:
    ///   - server: The name of the server.
    ///   - text: The value of its `Date` header field, which has whole seconds.
    ///   - before: The time of this machine before the request.
    ///   - after: The time of this machine after the answer.
    package init?(server: String, date text: String, before: Date, after: Date) {
        guard let date = HTTPDate.parse(text) else { return nil }
        self.server = server
        // The server wrote the date between both times, and cut it to a second.
        if before.timeIntervalSince(date) > 1 {
            ahead = before.timeIntervalSince(date) - 1
        } else {
            ahead = min(0, after.timeIntervalSince(date))
        }
    }

    /// A fast clock makes ID tokens look expired, which LinkedIn's are after an hour; the last minute is for the sign-in itself.
    private static let lifeOfTokens = 3_540.0

    /// Judges the difference.
    ///
    /// - Parameters:
    ///   - leeway: Seconds that ID tokens may be off.
    ///   - service: What sets the clock of this machine; nil if nothing does.
    /// - Returns: The findings.
    package func report(leeway: Int, service: ClockService?) -> Report {
        let seconds = Int(abs(ahead).rounded(.up))
        let reason = service == nil ? "; no service that sets the clock is installed" : ""
        let direction = ahead > 0 ? "ahead of" : "behind"
        let text = "\(seconds) s \(direction) \(server)\(reason)"
        let remedies = ClockService.remedies(service)
        switch ahead {
        case Self.lifeOfTokens..., ...(-Double(leeway)): return Report(.clockOff, "clock", text, remedies: remedies)
        case 2..., ...(-2): return Report(.clockDrifting, "clock", text, remedies: remedies)
        default: return Report(passed: "clock", "agrees with \(server)")
        }
    }
}

/// The preferred form of a date in HTTP (RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    static func parse(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), let year = Int(words[3]),
            let month = months.firstIndex(of: String(words[2])), (1...31).contains(day), (1970...9999).contains(year)
        else { return nil }
        let time = words[4].split(separator: ":").map { Int($0) ?? -1 }
        // A leap second is the 60th.
        guard time.count == 3, (0...23).contains(time[0]), (0...59).contains(time[1]), (0...60).contains(time[2]) else {
            return nil
        }
        // Counts days from March 1 of the year 0, so that a leap day is the last day of its year.
        let (shifted, base) = month < 2 ? (month + 10, year - 1) : (month - 2, year)
        let days = base * 365 + base / 4 - base / 100 + base / 400 + (153 * shifted + 2) / 5 + day - 1 - 719_468
        return Date(timeIntervalSince1970: Double(days * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2]))
    }
}
