/// `GET /`: explains the simulator to anyone who opens the base URL in a browser.
enum FrontPage {
    @Sendable
    static func answer(_ request: Request) async -> Response {
        let members = Members.all.map { member -> HTML in
            "<li><a href=\"\(member.profileURL(base: ""))\"><bdi>\(member.name)</bdi></a></li>"
        }
        return Page(
            title: "Simulated LinkedIn",
            content: """
                <h1>The simulator is running</h1>
                <p>Run <code>linkedin-simulator --help</code> for its endpoints, faults and settings.</p>
                <h2>Members</h2>
                <ul>
                \(HTML(joining: members))
                </ul>
                """
        ).response
    }
}
