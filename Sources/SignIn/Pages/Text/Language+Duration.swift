extension Language {
    /// How long ago something was, in one unit, rounded down.
    func ago(seconds: Int) -> String {
        switch self {
        case .english: seconds < 60 ? "just now" : "\(duration(seconds: seconds)) ago"
        case .chinese: seconds < 60 ? "刚刚" : "\(duration(seconds: seconds))前"
        }
    }

    /// A sentence about when the provider said so.
    func received(secondsAgo seconds: Int, from provider: String) -> String {
        switch self {
        case .english: "Received from \(provider) \(ago(seconds: seconds))."
        case .chinese: "\(ago(seconds: seconds))从 \(provider) 获取。"
        }
    }

    /// A sentence that asks for patience.
    func wait(seconds: Int) -> String {
        switch self {
        case .english: "Please wait about \(duration(seconds: seconds, roundedUp: true))."
        case .chinese: "请等待约 \(duration(seconds: seconds, roundedUp: true))。"
        }
    }

    /// A number of days, hours, minutes or seconds: of the largest unit that there is one of.
    private func duration(seconds: Int, roundedUp: Bool = false) -> String {
        let units = [(86_400, "day", "天"), (3_600, "hour", "小时"), (60, "minute", "分钟"), (1, "second", "秒")]
        let seconds = max(seconds, 1)
        let (size, english, chinese) = units.first { seconds >= $0.0 } ?? (1, "second", "秒")
        let count = roundedUp ? (seconds - 1) / size + 1 : seconds / size
        switch self {
        case .english: return "\(count) \(english)\(count == 1 ? "" : "s")"
        case .chinese: return "\(count) \(chinese)"
        }
    }
}
