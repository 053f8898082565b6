import HTTP
import Testing

/// For a site that never waits for its store.
final class UnusedAnswer: LaterAnswer {
    func give(_ make: @escaping @Sendable () -> Response) {
        Issue.record("an answer came later")
    }
}
