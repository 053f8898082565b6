/// A fault that waits at an endpoint.
struct Fault: Sendable {
    let kind: FaultKind
    /// How many requests it still meets; nil until it is cleared.
    var remaining: Int?
    /// Named numbers and texts that shape it.
    let options: [String: JSON]

    func int(_ name: String, default value: Int) -> Int {
        switch options[name] {
        case .int(let number): number
        case .string(let text): Int(text) ?? value
        default: value
        }
    }

    func text(_ name: String) -> String? {
        switch options[name] {
        case .string(let text): text
        case .int(let number): String(number)
        default: nil
        }
    }

    /// The option `ms`, at most 50 seconds: after 60 the server gives a handler up.
    func pause(default milliseconds: Int) -> Duration {
        .milliseconds(min(max(int("ms", default: milliseconds), 0), 50_000))
    }
}
