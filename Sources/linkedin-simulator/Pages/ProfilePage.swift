/// `GET /in/{vanityName}` and `GET /profile-thirdparty-redirect/{token}`: where a profile link leads.
enum ProfilePage {
    @Sendable
    static func byVanityName(_ request: Request) async -> Response {
        let name = request.path.dropFirst("/in/".count)
        return answer(Members.all.first { $0.vanityName == name })
    }

    /// Redirects to the profile, as LinkedIn does.
    @Sendable
    static func byToken(_ request: Request) async -> Response {
        let token = request.path.dropFirst("/profile-thirdparty-redirect/".count)
        guard let member = Members.all.first(where: { $0.redirectToken == token }) else { return answer(nil) }
        return .redirect(to: member.profileURL(base: ""))
    }

    private static func answer(_ member: Member?) -> Response {
        guard let member else { return MessagePage(status: 404, message: "This profile does not exist.").response }
        let picture: HTML =
            member.hasPicture ? "<img class=\"portrait\" src=\"\(Picture.path(of: member))\" alt=\"\">" : ""
        return Page(
            title: member.name,
            content: """
                \(picture)
                <h1 dir="auto">\(member.name)</h1>
                <p dir="auto">\(member.headline)</p>
                <p class="quiet">/in/\(member.vanityName)</p>
                """
        ).response
    }
}
