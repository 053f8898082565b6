extension Control {
    @Sendable
    func listRequests(_ request: Request) async -> Response {
        await guarding { () throws(ControlError) in
            .json(await journal.json(of: try endpoint(named: request.query["endpoint"])))
        }
    }

    @Sendable
    func clearRequests(_ request: Request) async -> Response {
        await journal.clear()
        return .json(await journal.json(of: nil))
    }
}
