/// `GET /v1/people/~:(public-profile-url)`, which answers XML unless the query has `format=json`.
struct PeopleEndpoint: Sendable {
    let bearer: BearerCheck

    @Sendable
    func answer(_ request: Request) async -> Response {
        guard request.settings.isV1Alive else { return Self.gone(request) }
        let answer = await bearer.guarding(request, scope: "r_basicprofile", resource: "people") { grant in
            ["publicProfileUrl": .string(grant.member.profileURL(base: request.settings.base))]
        }
        guard answer.status == 200, request.query["format"] != "json", case .json(.object(let person)) = answer.body,
            case .string(let url)? = person["publicProfileUrl"]
        else { return answer }
        return Self.xml(url)
    }

    private static func xml(_ url: String) -> Response {
        let escaped = url.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <person>
              <public-profile-url>\(escaped)</public-profile-url>
            </person>

            """
        return .text(text, type: "text/xml;charset=UTF-8")
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
