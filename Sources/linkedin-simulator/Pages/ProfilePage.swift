/// `GET /in/{vanityName}` and `GET /profile-thirdparty-redirect/{token}`: the target of a profile link.
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

/// `GET /dms/image/{number}/…`: a drawn portrait.
enum Picture {
    static func path(of member: Member) -> String {
        "/dms/image/\(member.number)/"
    }

    @Sendable
    static func answer(_ request: Request) async -> Response {
        let parts = request.path.split(separator: "/")
        guard parts.count > 2, let number = Int(parts[2]), let member = Members.number(number), member.hasPicture else {
            return Response(404)
        }
        let image: HTML = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100" height="100">
            <rect width="100" height="100" fill="hsl(\(number * 67 % 360) 45% 70%)"/>
            <circle cx="50" cy="40" r="19" fill="hsl(\(number * 67 % 360) 45% 30%)"/>
            <path d="M12 100a38 36 0 0 1 76 0z" fill="hsl(\(number * 67 % 360) 45% 30%)"/>
            </svg>

            """
        return .text(image.text, type: "image/svg+xml")
    }
}
