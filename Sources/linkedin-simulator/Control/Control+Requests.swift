extension Control {
    /// Shows the journal; with `at-least=N`, once so many requests have come.
    @Sendable
    func listRequests(_ request: Request) async -> Response {
        await guarding { () throws(ControlError) in
            let endpoint = try endpoint(named: request.query["endpoint"])
            if let count = request.query["at-least"].flatMap({ Int($0) }) {
                await journal.wait(for: count, at: endpoint)
            }
            return .json(await journal.json(of: endpoint))
        }
    }

    @Sendable
    func clearRequests(_ request: Request) async -> Response {
        await journal.clear()
        return .json(await journal.json(of: nil))
    }
}
