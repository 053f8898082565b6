package import EventLog
import HTTP
package import OpenID
package import Sessions

/// The profiles of GitHub's REST API.
///
/// A member is known by the number of the account. The login can be changed, and then another person can take it.
package struct GitHubProfiles: ProfileSource {
    private let api: String

    /// - Parameter server: the GitHub server.
    package init(_ server: GitHub.Server) {
        api = server.api
    }

    package var offersLink: Bool { true }
    package var isUserInfo: Bool { false }
    package var namesSubject: Bool { true }

    package func fetch(
        client: OpenIDClient,
        accessToken: String,
        identity: Identity?,
        knownID: String?,
        patience: OpenIDClient.Patience,
        log: Log
    ) async throws(OpenIDError) -> Profile {
        let call = Call(client: client, accessToken: accessToken, patience: patience)
        let user = try await call.json(at: "\(api)/user")
        guard let number = user["id"]?.numberValue, let id = Int(exactly: number), id > 0 else {
            throw OpenIDError(.resourceMalformed, detail: "the user has no id")
        }
        let subject = String(id)
        guard identity.map({ $0.subject == subject }) ?? true else {
            throw OpenIDError(.subjectMismatch, detail: "the id is not that of the sign-in")
        }
        let address = try await address(by: call, log)
        return Profile(
            subject: subject,
            name: user["name"]?.text(limit: 512) ?? user["login"]?.text(limit: 512),
            email: address,
            emailVerified: address == nil ? nil : true,
            picture: user["avatar_url"]?.text(limit: 2048).flatMap(Profile.link),
            profileURL: user["html_url"]?.text(limit: 2048).flatMap(Profile.link)
        )
    }

    /// The primary address, if it is verified; the address in the user is public and can be any text.
    private func address(by call: Call, _ log: Log) async throws(OpenIDError) -> String? {
        let scopes = call.client.options.scopes
        guard scopes.contains("user:email") || scopes.contains("user") else {
            return Self.missing(log, reason: "address-scope-missing")
        }
        let entries: JSON
        do {
            entries = try await call.json(at: "\(api)/user/emails")
        } catch {
            // GitHub answers so if a GitHub App lacks the permission.
            guard [.accessDenied, .resourceMalformed].contains(error.code) else { throw error }
            return Self.missing(log, reason: "address-denied", detail: error.detail)
        }
        let primary = entries.arrayValue?.first { $0["primary"] == .bool(true) }
        guard let primary, primary["verified"] == .bool(true), let address = primary["email"]?.emailAddress else {
            return Self.missing(log, reason: "address-unverified")
        }
        return address
    }

    private static func missing(_ log: Log, reason: String, detail: String = "") -> String? {
        log(LogEvent(.warning, .addressMissing, reason: reason, fields: [("detail", detail)]))
        return nil
    }

    /// Calls with one access token.
    private struct Call {
        let client: OpenIDClient
        let accessToken: String
        let patience: OpenIDClient.Patience

        func json(at address: String) async throws(OpenIDError) -> JSON {
            let body = try await client.resource(
                address,
                headers: try headers,
                accessToken: accessToken,
                patience: patience
            )
            guard let json = JSON(parsing: body) else {
                throw OpenIDError(.resourceMalformed, detail: "the answer of the API is not JSON")
            }
            return json
        }

        private var headers: Headers {
            get throws(OpenIDError) {
                var headers = Headers()
                do {
                    try headers.append(.accept, "application/vnd.github+json")
                    if let name = HeaderName("X-GitHub-Api-Version") { try headers.append(name, "2022-11-28") }
                } catch {
                    throw OpenIDError(.resourceUnavailable, detail: "a header of the API cannot be sent")
                }
                return headers
            }
        }
    }
}
