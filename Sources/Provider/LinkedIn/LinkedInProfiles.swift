import EventLog
import HTTP
package import OpenID
import Sessions

/// LinkedIn's profiles: the address of the product and the format of its response.
package struct LinkedInProfiles: ProfileSource {
    private let product: LinkedInProduct
    private let address: String
    /// The values of `LinkedIn-Version`; only the versioned API under `/rest` needs one.
    private let versions: APIVersions

    package init(_ endpoint: ProfileEndpoint) {
        product = endpoint.product
        address = endpoint.address
        versions = APIVersions(endpoint.versions)
    }

    package var offersLink: Bool { product != .openid }
    package var isUserInfo: Bool { product == .openid }
    package var namesSubject: Bool { product != .verified }

    package func fetch(_ call: ProfileCall) async throws(OpenIDError) -> Profile {
        if isUserInfo { return try await UserInfoProfiles().fetch(call) }
        guard let answer = JSON(parsing: try await content(call)) else {
            throw OpenIDError(.resourceMalformed, detail: "the profile is no JSON")
        }
        return switch product {
        case .openid, .verified: try Profile(identityMe: answer, identity: call.identity, knownID: call.knownID)
        case .basicProfile: try Profile(me: answer, identity: call.identity)
        case .v1: try Profile(people: answer, identity: call.identity)
        }
    }

    /// Tries the versions in order until LinkedIn accepts one.
    private func content(_ call: ProfileCall) async throws(OpenIDError) -> [UInt8] {
        var refusal = OpenIDError(.versionRefused, detail: "LINKEDIN_VERSION is empty")
        let now = call.client.now()
        let tried: [String?] = product == .verified ? versions.inOrder(at: now) : [nil]
        for version in tried {
            do {
                let content = try await call.response(from: address, headers: try headers(version)).body
                if let version { versions.accept(version, at: now) }
                return content
            } catch {
                guard let version, error.code == .versionRefused else { throw error }
                let detail = "\(error.detail): LinkedIn refuses every LINKEDIN_VERSION"
                refusal = OpenIDError(.versionRefused, detail: detail)
                call.log(LogEvent(versionRefused: version, detail: error.detail))
            }
        }
        throw refusal
    }

    private func headers(_ version: String?) throws(OpenIDError) -> Headers {
        var headers = Headers()
        do {
            if let version, let name = HeaderName("LinkedIn-Version") { try headers.append(name, version) }
        } catch {
            throw OpenIDError(.resourceUnavailable, detail: "LINKEDIN_VERSION cannot stand in a header")
        }
        return headers
    }
}

extension LogEvent {
    fileprivate init(versionRefused version: String, detail: String) {
        let advice = "\(detail); LinkedIn retires versions about a year after their release: set a newer one"
        let fields: [Field] = [("setting", "LINKEDIN_VERSION"), ("value", version), ("detail", advice)]
        self.init(.warning, .linkedInVersionRefused, reason: "resource-version", fields: fields)
    }
}
