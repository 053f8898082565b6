package import EventLog
import HTTP
package import OpenID
import Pages
package import Provider
package import Sessions

/// The source of profiles: the address of the product and the format of its answer.
package struct ProfileSource: Sendable {
    package let product: LinkedInProduct
    package let endpoint: String
    /// The values of `LinkedIn-Version`; only the versioned API under `/rest` needs one.
    let versions: APIVersions

    package init(_ profile: ProfileEndpoint) {
        product = profile.product
        endpoint = profile.address
        versions = APIVersions(profile.versions)
    }

    /// Whether the product provides a profile link.
    package var offersLink: Bool { product != .openid }

    /// Whether the answer names the member by the subject of the sign-in.
    ///
    /// If not, only an earlier answer for the same session shows whose profile it is.
    var namesSubject: Bool { product != .verified }

    /// Makes the Bearer call (RFC 6750 §2.1) and reads the answer.
    ///
    /// - Parameters:
    ///   - client: Makes the call.
    ///   - accessToken: The access token of the member.
    ///   - identity: The identity from the ID token; if nil, the answer must name the member.
    ///   - knownID: The identifier of the member in an earlier answer for the same session.
    ///   - patience: How long to retry while LinkedIn may not know the token yet.
    ///   - log: Receives a warning for each version that LinkedIn refuses.
    /// - Returns: The profile, always with the subject of `identity`.
    /// - Throws: `OpenIDError`, also if the answer is about another member.
    package func fetch(
        client: OpenIDClient,
        accessToken: String,
        identity: Identity?,
        knownID: String? = nil,
        patience: OpenIDClient.Patience,
        log: Log
    ) async throws(OpenIDError) -> Profile {
        if product == .openid {
            guard let identity else { throw OpenIDError(.subjectMismatch, detail: "this product needs an ID token") }
            let claims = try await client.userInfo(
                accessToken: accessToken,
                subject: identity.subject,
                justIssued: patience != .none
            )
            return Profile(claims, identity: identity)
        }
        let content = try await content(client: client, accessToken: accessToken, patience: patience, log: log)
        guard let answer = JSON(parsing: content) else {
            throw OpenIDError(.resourceMalformed, detail: "the profile is no JSON")
        }
        return switch product {
        case .openid, .verified: try Profile(identityMe: answer, identity: identity, knownID: knownID)
        case .basicProfile: try Profile(me: answer, identity: identity)
        case .v1: try Profile(people: answer, identity: identity)
        }
    }

    /// Tries the versions in order until LinkedIn accepts one.
    private func content(
        client: OpenIDClient,
        accessToken: String,
        patience: OpenIDClient.Patience,
        log: Log
    ) async throws(OpenIDError) -> [UInt8] {
        guard product == .verified else {
            return try await client.resource(
                endpoint,
                headers: Headers(),
                accessToken: accessToken,
                patience: patience
            )
        }
        var refusal = OpenIDError(.versionRefused, detail: "LINKEDIN_VERSION is empty")
        let now = client.now()
        for version in versions.inOrder(at: now) {
            do {
                let headers = try headers(version)
                let content = try await client.resource(
                    endpoint,
                    headers: headers,
                    accessToken: accessToken,
                    patience: patience
                )
                versions.accept(version, at: now)
                return content
            } catch {
                guard error.code == .versionRefused else { throw error }
                let detail = "\(error.detail): LinkedIn refuses every LINKEDIN_VERSION"
                refusal = OpenIDError(.versionRefused, detail: detail)
                log(LogEvent(versionRefused: version, detail: error.detail))
            }
        }
        throw refusal
    }

    private func headers(_ version: String) throws(OpenIDError) -> Headers {
        var headers = Headers()
        do {
            if let name = HeaderName("LinkedIn-Version") { try headers.append(name, version) }
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
