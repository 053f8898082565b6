import EventLog
import HTTP
import OpenID
import Sessions

/// The lists of GitHub's REST API about a member: addresses, organizations and teams.
struct GitHubLists {
    /// More pages than a list with entries on each page has.
    private static let pages = 1...10

    private let call: ProfileCall

    init(_ call: ProfileCall) {
        self.call = call
    }

    /// The primary address, if it is verified; the address in the user is public and can be any text.
    func address() async throws(OpenIDError) -> String? {
        let scopes = call.client.options.scopes
        guard scopes.contains("user:email") || scopes.contains("user") else {
            note(.addressMissing, reason: "address-scope-missing")
            return nil
        }
        let entries = try await permitted(.addressMissing, reason: "address-denied") { () async throws(OpenIDError) in
            try await self.entries(of: "emails")
        }
        guard let entries else { return nil }
        let primary = entries.first { $0["primary"] == .bool(true) }
        guard let primary, primary["verified"] == .bool(true), let address = primary["email"]?.emailAddress else {
            note(.addressMissing, reason: "address-unverified")
            return nil
        }
        return address
    }

    /// The organizations with an active membership, and their teams of which the member is one; nil without the permission.
    ///
    /// Each has two names: one that GitHub shows and that can change, and one with the number of the organization.
    func groups() async throws(OpenIDError) -> [String]? {
        try await permitted(.groupsMissing, reason: "groups-denied") { () async throws(OpenIDError) in
            var (names, groups): ([Int: String], [String]) = ([:], [])
            for entry in try await entries(of: "memberships/orgs", "&state=active")
            where entry["state"] == .string("active") {
                let (number, login) = try organization(of: entry)
                names[number] = login
                groups += [login, "id:\(number)"]
            }
            for entry in try await entries(of: "teams") {
                let (number, _) = try organization(of: entry)
                guard let slug = Self.part(entry["slug"]) else { throw Self.malformed("a team has no slug") }
                guard let login = names[number] else { continue }
                groups += ["\(login)/\(slug)", "id:\(number)/\(slug)"]
            }
            return groups
        }
    }

    /// What GitHub sends; nil, with a note in the log, if GitHub denies the access.
    private func permitted<Answer>(
        _ event: EventName,
        reason: String,
        _ ask: () async throws(OpenIDError) -> Answer
    ) async throws(OpenIDError) -> Answer? {
        do throws(OpenIDError) {
            return try await ask()
        } catch {
            guard error.code == .accessDenied else { throw error }
            note(event, reason: reason, detail: error.detail)
            return nil
        }
    }

    private func organization(of entry: JSON) throws(OpenIDError) -> (number: Int, login: String) {
        let organization = entry["organization"]
        guard let number = organization?["id"]?.positiveInteger, let login = Self.part(organization?["login"]) else {
            throw Self.malformed("an organization has no id or no login")
        }
        return (number, login)
    }

    /// A part of the name of a group, in which the separators of groups do not occur.
    private static func part(_ json: JSON?) -> String? {
        json?.text(limit: 256).flatMap { $0.contains { $0 == "/" || $0 == ":" } ? nil : $0.lowercased() }
    }

    /// The entries of a list; more than a claim can keep if there are more.
    private func entries(of list: String, _ query: String = "") async throws(OpenIDError) -> [JSON] {
        let address = call.client.options.userinfoEndpoint ?? ""
        var all: [JSON] = []
        for page in Self.pages {
            let response = try await call.response(from: "\(address)/\(list)?per_page=100&page=\(page)\(query)")
            guard let entries = JSON(parsing: response.body)?.arrayValue else {
                throw Self.malformed("the list \(list) is not a JSON array")
            }
            all += entries
            // The address in this field is not used, so that no response decides where the access token is sent.
            let link = HeaderName("Link").flatMap { response.headers[$0] } ?? ""
            guard link.contains(#"rel="next""#), 2 * all.count <= KeptClaims.valueLimit else { return all }
        }
        throw Self.malformed("the list \(list) has more than \(Self.pages.upperBound) pages")
    }

    private func note(_ event: EventName, reason: String, detail: String = "") {
        call.log(LogEvent(.warning, event, reason: reason, fields: [("detail", detail)]))
    }

    private static func malformed(_ detail: String) -> OpenIDError {
        OpenIDError(.resourceMalformed, detail: detail)
    }
}
