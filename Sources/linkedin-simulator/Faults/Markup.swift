/// Puts markup where an application may show it.
enum Markup {
    static let name = "<script>alert('name')</script>\"'><img src=x onerror=alert(1)>"
    static let link = "javascript:alert('link')"

    /// Spoils names, e-mail addresses and pictures at any depth.
    static func inNames(of object: JSONObject) -> JSONObject {
        mapped(object) { member in
            switch member {
            case "name", "given_name", "family_name", "localizedFirstName", "localizedLastName", "en_US", "headline",
                "localizedHeadline":
                name
            case "email", "primaryEmailAddress": "\"<b onmouseover=alert(2)>\"@example.com"
            case "picture", "downloadUrl": "javascript:alert('picture')"
            default: nil
            }
        }
    }

    /// Spoils what an application would make a link of.
    static func inLinks(of object: JSONObject) -> JSONObject {
        var spoiled = mapped(object) { member in
            switch member {
            case "profileUrl", "publicProfileUrl": link
            case "vanityName": "../../evil\"><script>alert('vanity')</script>"
            default: nil
            }
        }
        if object["sub"] != nil { spoiled["profile"] = .string(link) }
        return spoiled
    }

    private static func mapped(_ object: JSONObject, _ replace: (String) -> String?) -> JSONObject {
        JSONObject(
            object.members.map { member in
                switch member.value {
                case .string: (member.name, replace(member.name).map { .string($0) } ?? member.value)
                case .object(let inner): (member.name, .object(mapped(inner, replace)))
                default: (member.name, member.value)
                }
            }
        )
    }
}
