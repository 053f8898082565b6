/// The newest timeline of the database that a server has shown.
///
/// Each promotion of a standby begins a new timeline, so a former primary has an older one. A timeline is eight
/// hexadecimal digits, as in the names of PostgreSQL's log files. One thread uses this type.
final class Timelines {
    private var newest = ""

    /// Remembers a timeline, or returns why its server must not be used.
    ///
    /// - Parameter timeline: nil if the server does not say.
    /// - Returns: nil if the server may be used.
    func objection(to timeline: String?) -> String? {
        guard let timeline, timeline != newest else { return nil }
        guard timeline > newest else {
            return "the server is a former primary: its timeline is \(timeline), and another server has \(newest)"
        }
        newest = timeline
        return nil
    }
}
