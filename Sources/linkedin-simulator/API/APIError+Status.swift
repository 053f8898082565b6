extension APIError {
    /// What the API says with a status; of the four refusals with 401, the one of a `serviceErrorCode`.
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
