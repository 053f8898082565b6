import struct Foundation.Date

/// The state of the simulator, and the way of a request through it.
struct Simulator: Sendable {
    let settings: SettingsStore
    let journal = Journal()
    let faults = Faults()
    private let routes: Routes
    private let log: @Sendable (String) -> Void
    private let now: @Sendable () -> Date

    /// Creates a simulator.
    ///
    /// - Parameters:
    ///   - settings: the settings of the command line.
    ///   - key: the first signing key; nil for a new one.
    ///   - log: receives one line per request.
    ///   - now: the clock.
    /// - Throws: what the key generator throws.
    init(
        settings: Settings,
        key: SigningKeys.Key?,
        log: @escaping @Sendable (String) -> Void,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self.settings = SettingsStore(settings)
        self.log = log
        self.now = now
        let grants = Grants()
        routes = Routes(
            grants: grants,
            keys: SigningKeys(first: try key ?? SigningKeys.Key(bits: settings.keyBits)),
            control: Control(settings: self.settings, journal: journal, faults: faults, grants: grants)
        )
    }

    /// Answers one request: first the journal, then the fault, then the endpoint.
    func answer(_ request: Request) async -> Response {
        let route = routes.find(request)
        var request = request
        request.settings = await settings.current
        request.now = Int(now().timeIntervalSince1970) + request.settings.timeShift
        var response = await answer(request, by: route)
        // An `answer` fault may have its own.
        if response.moreHeaders.all.allSatisfy({ $0.name.lowercased() != "date" }) {
            response.headers["Date"] = response.headers["Date"] ?? DateField.text(request.now)
        }
        return response
    }

    private func answer(_ request: Request, by route: Route) async -> Response {
        guard let endpoint = route.endpoint else {
            return await respond(to: request, by: route)
        }
        var request = request
        await journal.record(request, at: endpoint, time: request.now)
        request.fault = await faults.take(at: endpoint)
        let response = await faulty(request, at: endpoint, by: route)
        log("\(request.method) \(request.path) \(response.status) \(request.fault?.kind.name ?? "")")
        return response
    }

    private func faulty(_ request: Request, at endpoint: EndpointName, by route: Route) async -> Response {
        guard let fault = request.fault else { return await respond(to: request, by: route) }
        if fault.kind == .delivery(.delay) {
            try? await Task.sleep(for: fault.pause(default: 1000))
        }
        if let replacement = fault.replacement(at: endpoint, base: request.settings.base) { return replacement }
        return fault.altered(await respond(to: request, by: route))
    }

    private func respond(to request: Request, by route: Route) async -> Response {
        do {
            return try await route.handle(request)
        } catch {
            log("\(request.method) \(request.path) failed: \(error)")
            return APIError.serverFailure.response
        }
    }
}
