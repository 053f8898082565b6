extension Fault {
    /// The right answer, spoiled.
    func altered(_ response: Response) -> Response {
        var response = response
        switch kind {
        case .drip: response.delivery = .dripped(pause(default: 100))
        case .truncated: response.delivery = .overstated(by: int(.bytes, default: 100))
        case .truncatedChunks: response.delivery = .unfinishedChunks
        case .huge:
            let padding = [UInt8](repeating: UInt8(ascii: " "), count: int(.bytes, default: 2_097_152))
            response.body = .bytes(response.bytes + padding)
            response.delivery = .chunked
        default:
            if case .json(.object(let object)) = response.body { response.body = .json(altered(object)) }
        }
        return response
    }

    private func altered(_ object: JSONObject) -> JSON {
        var object = object
        switch kind {
        case .jsonArray: return .array([.object(object)])
        case .deep: object["deep"] = .nested(int(.depth, default: 100_000))
        case .duplicateKeys:
            object.members += object.members.compactMap { member in
                guard case .string = member.value else { return nil }
                return JSONObject.Member(name: member.name, value: "duplicate")
            }
        case .noIDToken: object["id_token"] = nil
        case .missingAccessToken: object["access_token"] = nil
        case .macTokenType: object["token_type"] = "mac"
        case .absurdExpiresIn: object["expires_in"] = .number(1e300)
        case .otherSubject: object["sub"] = "somebody-1"
        case .xss: object = Markup.inNames(of: object)
        case .evilLink: object = Markup.inLinks(of: object)
        default: break
        }
        return .object(object)
    }
}
