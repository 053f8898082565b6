/// `GET /v1/people/~:(public-profile-url)?format=json`.
struct PeopleEndpoint: Sendable {
    let bearer: BearerCheck

    @Sendable
    func answer(_ request: Request) async -> Response {
        guard request.settings.isV1Alive else { return Self.gone(request) }
        return await bearer.guarding(request, scope: "r_basicprofile", resource: "people") { grant in
            ["publicProfileUrl": .string(grant.member.profileURL(base: request.settings.base))]
        }
    }

    private static func gone(_ request: Request) -> Response {
        .json(
            [
                "errorCode": 0,
                "message": "This resource is no longer available under v1 APIs",
                "requestId": .string(RandomText.make(characters: 10)),
                "status": 410,
                "timestamp": .int(request.now * 1000),
            ],
            status: 410
        )
    }
}
