/// `GET /v2/me`.
struct MeEndpoint: Sendable {
    let bearer: BearerCheck

    @Sendable
    func answer(_ request: Request) async -> Response {
        await bearer.guarding(request, scope: "r_basicprofile", resource: "me") { grant in
            let member = grant.member
            var profile: JSONObject = [
                "firstName": LocalizedText.of(member.givenName, member),
                "localizedFirstName": .string(member.givenName),
                "headline": LocalizedText.of(member.headline, member),
                "localizedHeadline": .string(member.headline),
                "vanityName": .string(member.vanityName),
                "id": .string(member.subject(for: grant.clientID)),
                "lastName": LocalizedText.of(member.familyName, member),
                "localizedLastName": .string(member.familyName),
            ]
            if member.hasPicture {
                profile["profilePicture"] = [
                    "displayImage": .string("urn:li:digitalmediaAsset:C4D00AAAAbBCDEFGhi\(member.number)")
                ]
            }
            return profile
        }
    }
}

/// LinkedIn's multi-locale text: a map of locales, and the locale that the member prefers.
enum LocalizedText {
    static func of(_ text: String, _ member: Member) -> JSON {
        [
            "localized": .object(JSONObject([(member.locale, .string(text))])),
            "preferredLocale": ["country": .string(member.country), "language": .string(member.language)],
        ]
    }
}
