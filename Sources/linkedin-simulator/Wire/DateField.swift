import struct Foundation.Calendar
import struct Foundation.Date
import struct Foundation.TimeZone

/// The value of a `Date` header field (RFC 9110 §6.6.1).
enum DateField {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Parameter time: seconds since 1970.
    /// - Returns: a text such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func text(_ time: Int) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .weekday, .hour, .minute, .second],
            from: Date(timeIntervalSince1970: Double(time))
        )
        let clock = [parts.hour, parts.minute, parts.second].map { twoDigits($0 ?? 0) }.joined(separator: ":")
        let (day, month) = (days[(parts.weekday ?? 1) - 1], months[(parts.month ?? 1) - 1])
        return "\(day), \(twoDigits(parts.day ?? 1)) \(month) \(parts.year ?? 1970) \(clock) GMT"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
