import HTTP
package import OpenID
package import Sessions

/// Where the profile comes from: the product's address and the shape of its answer.
package struct ProfileSource: Sendable, Equatable {
    package let product: LinkedInProduct
    package let endpoint: String
    /// Value of `LinkedIn-Version`; only the versioned API under `/rest` wants one.
    package let version: String

    package init(product: LinkedInProduct, endpoint: String, version: String) {
        self.product = product
        self.endpoint = endpoint
        self.version = version
    }

    /// Whether the product's answer holds a profile link at all.
    var offersLink: Bool { product != .openid }

    /// Makes the Bearer call (RFC 6750 §2.1) and reads the answer.
    ///
    /// - Parameters:
    ///   - client: makes the call.
    ///   - accessToken: of the member.
    ///   - identity: what the ID token said; nil where there is none, and then the answer must name the member.
    ///   - justIssued: whether a refusal of the token may be LinkedIn's delay in learning of it.
    /// - Returns: the profile, always with the subject of `identity`.
    /// - Throws: `OpenIDError`, also if the answer is about somebody else.
    package func fetch(
        client: OpenIDClient,
        accessToken: String,
        identity: Identity?,
        justIssued: Bool
    ) async throws(OpenIDError) -> Profile {
        if product == .openid {
            guard let identity else { throw OpenIDError(.subjectMismatch, detail: "this product needs an ID token") }
            let claims = try await client.userInfo(
                accessToken: accessToken,
                subject: identity.subject,
                justIssued: justIssued
            )
            return Profile(claims, identity: identity)
        }
        let content = try await client.resource(
            endpoint,
            headers: try headers(),
            accessToken: accessToken,
            justIssued: justIssued
        )
        guard let answer = JSON(parsing: content) else {
            throw OpenIDError(.resourceMalformed, detail: "the profile is no JSON")
        }
        return switch product {
        case .openid, .verified: try Profile(identityMe: answer, identity: identity)
        case .basicProfile: try Profile(me: answer, identity: identity)
        case .v1: try Profile(people: answer, identity: identity)
        }
    }

    private func headers() throws(OpenIDError) -> Headers {
        guard product == .verified, let name = HeaderName("LinkedIn-Version") else { return Headers() }
        var headers = Headers()
        do {
            try headers.append(name, version)
        } catch {
            throw OpenIDError(.resourceUnavailable, detail: "LINKEDIN_VERSION cannot stand in a header")
        }
        return headers
    }
}
