/// An error answer of the API.
struct APIError: Error {
    let status: Int
    let code: Int
    var name: String?
    let message: String

    static let emptyToken = APIError(status: 401, code: 65_604, message: "Empty oauth2 access token")
    static let invalidToken = APIError(
        status: 401,
        code: 65_600,
        name: "INVALID_ACCESS_TOKEN",
        message: "Invalid access token"
    )
    static let revokedToken = APIError(
        status: 401,
        code: 65_601,
        name: "REVOKED_ACCESS_TOKEN",
        message: "The token used in the request has been revoked by the user"
    )
    static let expiredToken = APIError(
        status: 401,
        code: 65_602,
        name: "EXPIRED_ACCESS_TOKEN",
        message: "The token used in the request has expired"
    )
    static let throttled = APIError(
        status: 429,
        code: 101,
        message: "Resource level throttle APPLICATION DAY limit for calls to this resource is reached."
    )
    static let versionMissing = APIError(
        status: 400,
        code: 0,
        name: "VERSION_MISSING",
        message: "A version must be present. Please specify a version by adding the LinkedIn-Version header."
    )
    static let serverFailure = APIError(
        status: 500,
        code: 0,
        name: "INTERNAL_SERVER_ERROR",
        message: "Internal Server Error"
    )

    static func denied(_ resource: String) -> APIError {
        APIError(
            status: 403,
            code: 100,
            name: "ACCESS_DENIED",
            message: "Not enough permissions to access: \(resource).GET.NO_VERSION"
        )
    }

    static func versionRetired(_ version: String) -> APIError {
        APIError(
            status: 426,
            code: 0,
            name: "NONEXISTENT_VERSION",
            message: "Requested version \(version) is not active"
        )
    }

    static func noSuchResource(_ path: String) -> APIError {
        APIError(status: 404, code: 0, name: "RESOURCE_NOT_FOUND", message: "No virtual resource found for \(path)")
    }

    var response: Response {
        var envelope: JSONObject = ["status": .int(status), "serviceErrorCode": .int(code)]
        envelope["code"] = name.map { .string($0) }
        envelope["message"] = .string(message)
        return .json(.object(envelope), status: status)
    }

    /// The error that the API sends with a status; `serviceErrorCode` selects one of the four errors with 401.
    static func envelope(for status: Int, code: Int) -> Response {
        switch (status, code) {
        case (401, 65_601): revokedToken.response
        case (401, 65_602): expiredToken.response
        case (401, 65_604): emptyToken.response
        case (401, _): invalidToken.response
        case (403, _): denied("userinfo").response
        case (426, _): versionRetired("202301").response
        case (429, _): throttled.response
        case (500, _): serverFailure.response
        default: APIError(status: status, code: code, message: "Status \(status)").response
        }
    }
}
