package import Metrics
import Synchronization

/// The answers of one worker, counted without a lock: only the worker writes, any thread reads.
final class RequestCounter: Sendable {
    /// Routes that are told apart; the last one stands for all further ones.
    static let routes = 32
    private static let statuses = 32

    private let answers = InlineArray<1024, Atomic<Int>> { _ in Atomic(0) }
    private let durations = InlineArray<32, DurationCounter> { _ in DurationCounter() }
    // No other worker's numbers are in the same cache line.
    private let padding = (0, 0, 0, 0, 0, 0, 0, 0)

    /// Counts an answer; only the worker may call this.
    ///
    /// - Parameters:
    ///   - route: The number of the route.
    ///   - status: The status code.
    ///   - hasReason: Whether there is a reason why the request was refused; `RefusalCounter` then counts the answer.
    ///   - duration: Nanoseconds from the arrival of the request until the answer was written, to memory if it is long.
    func count(route: Int, status: Int, hasReason: Bool, duration: Int) {
        let route = Self.bounded(route)
        durations[route].addAlone(duration)
        guard !hasReason else { return }
        let index = route * Self.statuses + StatusName.index(of: status)
        // Only one thread writes, so a plain load and store is enough; an atomic addition costs more.
        answers[index].store(answers[index].load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    static func bounded(_ route: Int) -> Int {
        0..<routes ~= route ? route : routes - 1
    }

    /// Adds what this worker has counted so far.
    func add(to figures: inout ServerFigures) {
        for route in 0..<Self.routes {
            figures.durations[route, default: DurationCounts()] += durations[route].read()
            for (status, name) in StatusName.all.enumerated() {
                let count = answers[route * Self.statuses + status].load(ordering: .relaxed)
                guard count > 0 else { continue }
                figures.answers[.init(route: route, status: name, reason: nil), default: 0] += count
            }
        }
    }
}

/// The answers to requests that were refused, with the reason that the log has.
final class RefusalCounter: Sendable {
    /// Kinds of answers that are told apart; the reasons are literals in the source, so there are fewer.
    private static let capacity = 1024
    private static let others = "other"

    private let counts = Mutex<[ServerFigures.Answer: Int]>([:])

    func count(route: Int, status: Int, reason: String) {
        let status = StatusName.all[StatusName.index(of: status)]
        var answer = ServerFigures.Answer(route: RequestCounter.bounded(route), status: status, reason: reason)
        counts.withLock { counts in
            if counts.count >= Self.capacity, counts[answer] == nil {
                answer = .init(route: answer.route, status: Self.others, reason: Self.others)
            }
            counts[answer, default: 0] += 1
        }
    }

    func add(to figures: inout ServerFigures) {
        for (answer, count) in counts.withLock(\.self) { figures.answers[answer, default: 0] += count }
    }
}

/// What a server has done and does now.
package struct ServerFigures: Sendable {
    /// A kind of answer.
    package struct Answer: Hashable, Sendable {
        /// The number of the route.
        package let route: Int
        /// The status code, or its class if it is an unusual one.
        package let status: String
        /// The reason in the log why the request was refused; nil if there is none.
        package let reason: String?
    }

    package internal(set) var answers: [Answer: Int] = [:]
    /// How long answers took, by the number of the route.
    package internal(set) var durations: [Int: DurationCounts] = [:]
    package internal(set) var workers = 0
    package internal(set) var busyWorkers = 0
    /// Requests whose handlers wait for something, such as the provider.
    package internal(set) var waitingRequests = 0
    package internal(set) var connections = 0
}

/// The names of status codes: few, also if an application that got a kept form chooses the code.
private enum StatusName {
    static let all = [
        "200", "303", "401", "403", "400", "404", "405", "409", "410", "413", "429", "431", "500", "502", "503", "504",
        "1xx", "2xx", "3xx", "4xx", "5xx", "other",
    ]

    /// The positions in `all` of the codes up to 599, because a look-up for each answer costs less than a comparison of texts.
    private static let indices = (0..<600).map { code in
        all.firstIndex(of: "\(code)") ?? all.firstIndex(of: "\(code / 100)xx") ?? all.count - 1
    }

    /// The position of a code in `all`.
    static func index(of code: Int) -> Int {
        indices.indices ~= code ? indices[code] : all.count - 1
    }
}

extension Engine {
    /// What the server has done and does now.
    var figures: ServerFigures {
        var figures = pulse.figures
        refusals.add(to: &figures)
        figures.waitingRequests = suspended.count
        figures.connections = openConnections.count.load(ordering: .relaxed)
        return figures
    }
}
