/// A fault that waits at an endpoint.
struct Fault: Sendable {
    let kind: FaultKind
    /// How many requests it still meets; nil until it is cleared.
    var remaining: Int?
    let options: [FaultOption: JSON]

    /// A numeric option, never negative.
    func int(_ option: FaultOption, default value: Int) -> Int {
        if case .int(let number) = options[option] { max(number, 0) } else { value }
    }

    func text(_ option: FaultOption) -> String? {
        if case .string(let text) = options[option] { text } else { nil }
    }

    /// The option `ms`, at most 50 seconds: after 60 the server gives a handler up.
    func pause(default milliseconds: Int) -> Duration {
        .milliseconds(min(int(.ms, default: milliseconds), 50_000))
    }
}
