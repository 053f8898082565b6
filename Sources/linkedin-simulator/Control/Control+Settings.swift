extension Control {
    @Sendable
    func showSettings(_ request: Request) async -> Response {
        .json(.object(await settings.current.json))
    }

    @Sendable
    func changeSettings(_ request: Request) async -> Response {
        await guarding { () throws(ControlError) in
            let members = try members(of: request)
            do {
                try await settings.update { settings in
                    for member in members { try settings.set(member.name, to: member.value) }
                }
            } catch let error as ControlError {
                throw error
            } catch {
                throw .malformed
            }
            return .json(.object(await settings.current.json))
        }
    }
}
