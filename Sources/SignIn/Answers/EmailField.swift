import EventLog
import Sessions

/// Makes the field of log events with a member's e-mail address, if the settings allow it.
struct EmailField: Sendable {
    private let isLogged: Bool

    init(isLogged: Bool) {
        self.isLogged = isLogged
    }

    /// The field; nothing if it is not allowed or the address is not known.
    func callAsFunction(of member: Identity?) -> [LogEvent.Field] {
        guard isLogged, let email = member?.email else { return [] }
        return [("email", email)]
    }
}
