import Settings

/// How long nginx may use one verdict of linkedin-signin for further requests (`--cache-verdicts`).
package struct VerdictLife: Sendable, Equatable {
    /// The texts and their seconds.
    ///
    /// Each divides 10, so that the last digit of the time tells where a period ends.
    private static let choices = ["1s": 1, "2s": 2, "5s": 5, "10s": 10]

    /// A session ends after the idle limit although its member clicks, if nginx answers for longer than this part of it.
    private static let shareOfIdleLimit = 20

    let seconds: Int

    /// Reads a time.
    ///
    /// - Parameters:
    ///   - text: The operator's text, such as `1s`.
    ///   - idleLimit: Seconds after which a session without requests ends.
    /// - Returns: An error for another time than the choices, and for one that is not far below the idle limit.
    static func reading(_ text: String, idleLimit: Int) -> Result<VerdictLife, ConfigurationError> {
        guard let seconds = choices[text] else {
            return .failure(error("“\(text)” is not one of 1s, 2s, 5s, 10s"))
        }
        guard seconds * shareOfIdleLimit <= idleLimit else {
            return .failure(
                error(
                    "\(seconds) seconds are too long for \(Setting.idleLimit.name), which is \(idleLimit) seconds: no request "
                        + "that nginx admits by a kept verdict counts as use. Choose at most a twentieth of that limit"
                )
            )
        }
        return .success(VerdictLife(seconds: seconds))
    }

    private static func error(_ message: String) -> ConfigurationError {
        ConfigurationError(problems: [.init(subject: "--cache-verdicts", message: message)])
    }

    /// What nginx's `map` to the period reads.
    ///
    /// For a second, a variable of nginx is the period: that costs less than a regular expression.
    var clock: String { seconds == 1 ? "\"\"" : "$msec" }

    /// Writes the lines of nginx's `map` from `clock` to the period of this length in which a request arrives.
    ///
    /// - Parameter text: The text before each period.
    /// - Returns: One line for each pattern.
    func periods(after text: String) -> [String] {
        switch seconds {
        case 1: [#"default "\#(text)$time_iso8601";"#]
        case 10: [#""~^(\d+)\d\." "\#(text)$1";"#]
        default:
            stride(from: 0, to: 10, by: seconds).map { first in
                #""~^(\d+)[\#(first)-\#(first + seconds - 1)]\." "\#(text)$1:\#(first)";"#
            }
        }
    }
}

extension Result where Failure == ConfigurationError {
    /// What is wrong; empty for a success.
    var problems: [ConfigurationError.Problem] {
        if case .failure(let error) = self { return error.problems }
        return []
    }
}
