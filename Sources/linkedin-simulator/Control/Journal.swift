/// The requests the endpoints have received.
actor Journal {
    private struct Entry {
        let endpoint: EndpointName
        let json: JSON
    }

    /// The newest requests; older requests are only counted.
    private var entries: [Entry] = []
    private var counts: [EndpointName: Int] = [:]
    private var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var nextWatcher = 0
    private static let capacity = 20_000

    func record(_ request: Request, at endpoint: EndpointName, time: Int) {
        counts[endpoint, default: 0] += 1
        if entries.count >= Self.capacity { entries.removeFirst(Self.capacity / 2) }
        let headers = request.headers.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) }
        entries.append(
            Entry(
                endpoint: endpoint,
                json: [
                    "endpoint": .string(endpoint.rawValue), "time": .int(time), "method": .string(request.method),
                    "path": .string(request.path), "query": request.query.json, "form": request.form.json,
                    "headers": .object(JSONObject(headers)),
                ]
            )
        )
        for watcher in watchers.values { watcher.yield() }
    }

    /// Waits until one endpoint, or all together, have received this many requests, or the task is cancelled.
    func wait(for count: Int, at endpoint: EndpointName?) async {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        nextWatcher += 1
        let watcher = nextWatcher
        watchers[watcher] = continuation
        continuation.yield()
        for await _ in arrivals where total(of: endpoint) >= count { break }
        watchers[watcher] = nil
    }

    private func total(of endpoint: EndpointName?) -> Int {
        endpoint.map { counts[$0] ?? 0 } ?? counts.values.reduce(0, +)
    }

    func clear() {
        entries = []
        counts = [:]
    }

    /// The requests of one endpoint, or of all.
    func json(of endpoint: EndpointName?) -> JSON {
        let chosen = entries.filter { endpoint == nil || $0.endpoint == endpoint }
        let counts = self.counts.filter { endpoint == nil || $0.key == endpoint }
        return [
            "count": .int(total(of: endpoint)),
            "counts": .object(
                JSONObject(
                    counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, .int($0.value)) }
                )
            ),
            "requests": .array(chosen.map(\.json)),
        ]
    }
}
