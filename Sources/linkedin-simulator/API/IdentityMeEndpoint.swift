/// `GET /rest/identityMe`.
struct IdentityMeEndpoint: Sendable {
    let bearer: BearerCheck

    @Sendable
    func answer(_ request: Request) async -> Response {
        await bearer.guarding(request, scope: "r_profile_basicinfo", resource: "identityMe") { grant throws(APIError) in
            try Self.checkVersion(request)
            return Self.identity(of: grant, request: request)
        }
    }

    /// The version is a month, `202510`, optionally with a revision, `202510.03`; versions before 2025 are retired.
    private static func checkVersion(_ request: Request) throws(APIError) {
        guard let version = request.headers["linkedin-version"], !version.isEmpty else { throw .versionMissing }
        let month = version.split(separator: ".").first.map(String.init) ?? ""
        guard month.utf8.count == 6, let number = Int(month), (1...12).contains(number % 100), number >= 202_501 else {
            throw .versionRetired(version)
        }
    }

    private static func identity(of grant: Grant, request: Request) -> JSONObject {
        let (member, base) = (grant.member, request.settings.base)
        let subject = member.subject(for: grant.clientID)
        var info: JSONObject = [
            "firstName": LocalizedText.of(member.givenName, member),
            "lastName": LocalizedText.of(member.familyName, member),
        ]
        info["primaryEmailAddress"] = member.email.map { .string($0) }
        info["profileUrl"] = .string("\(base)/profile-thirdparty-redirect/\(member.redirectToken)")
        if let picture = member.picture(base: base, now: request.now) {
            info["profilePicture"] = [
                "croppedImage": [
                    "downloadUrl": .string(picture), "downloadUrlExpiresAt": .int((request.now + 7_776_000) * 1000),
                ]
            ]
        }
        return [
            "lastRefreshedAt": .int(request.now * 1000), "id": .string(subject), "basicInfo": .object(info),
        ]
    }
}
