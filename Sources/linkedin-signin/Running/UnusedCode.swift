import POSIX
import Synchronization

/// Gives back the memory of code that is not used again, at some of the looks of the server at its threads.
///
/// Most code of the start, of the first requests and of a reload is used once. What is used again becomes resident again: the
/// code of session checks takes 140 page faults, 0.3 ms together.
final class UnusedCode: Sendable {
    /// 25 minutes under systemd, so that a debugger's breakpoints and a tracer's probes in the code stay for a while.
    private static let looksBetweenReleases = 100

    private let looks = Atomic(0)

    /// Counts a look; gives memory back at the first one, which follows the start, at the second, which follows the first
    /// requests, and rarely later.
    func noteLook() {
        let before = looks.wrappingAdd(1, ordering: .relaxed).oldValue
        if before == 1 || before.isMultiple(of: Self.looksBetweenReleases) { CodePages.release() }
    }
}
