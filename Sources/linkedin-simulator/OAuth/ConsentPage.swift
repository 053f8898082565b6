/// Asks which member signs in, and for consent to the application's scopes.
struct ConsentPage: Sendable {
    let authorization: AuthorizationRequest
    let settings: Settings

    /// The form has no action: it is sent to the URL of the page, which contains the whole request.
    var response: Response {
        let name = settings.applicationName ?? settings.clientID
        return Page(
            title: "Sign in to \(name)",
            content: """
                <h1>\(name) wants to sign you in</h1>
                <p>It requests permission to:</p>
                <ul>
                \(HTML(joining: authorization.scopes.map(Self.item)))
                </ul>
                <form method="post">
                <fieldset>
                <legend>Sign in as</legend>
                <div class="members">
                \(HTML(joining: Members.all.map(choice)))
                </div>
                </fieldset>
                <div class="buttons">
                <button class="main" name="decision" value="allow">Allow</button>
                <button name="decision" value="cancel">Cancel</button>
                <button class="small" name="decision" value="deny">Sign in, but deny the permissions</button>
                </div>
                </form>
                <p class="quiet">You go back to <code>\(authorization.redirectURI)</code>.</p>
                """
        ).response
    }

    private static func item(_ scope: String) -> HTML {
        switch scope {
        case "openid": "<li>Recognize you when you come back</li>"
        case "profile": "<li>See your name and picture</li>"
        case "email": "<li>See your e-mail address</li>"
        case "r_profile_basicinfo": "<li>See your name, picture and the link to your profile</li>"
        case "r_basicprofile": "<li>See your name, picture, headline and public profile URL</li>"
        case "r_verify": "<li>See which of your details are verified</li>"
        default: "<li>Use <code>\(scope)</code></li>"
        }
    }

    private func choice(_ member: Member) -> HTML {
        let checked: HTML = member.number == 1 ? " checked" : ""
        let picture: HTML =
            member.hasPicture
            ? "<img src=\"\(Picture.path(of: member))\" alt=\"\" width=\"40\" height=\"40\">"
            : "<span class=\"nobody\"></span>"
        return """
            <label><input type="radio" name="member" value="\(member.number)"\(checked)>
            \(picture)<span dir="auto"><bdi>\(member.name)</bdi> <small>\(member.email ?? "no e-mail address")</small></span></label>
            """
    }
}
