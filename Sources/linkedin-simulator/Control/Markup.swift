/// Puts markup into values that an application may show.
enum Markup {
    static let name = "<script>alert('name')</script>\"'><img src=x onerror=alert(1)>"
    static let link = "javascript:alert('link')"

    /// Puts markup into names, e-mail addresses and pictures at any depth.
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

    /// Puts script into values that an application may use as links.
    static func inLinks(of object: JSONObject) -> JSONObject {
        var altered = mapped(object) { member in
            switch member {
            case "profileUrl", "publicProfileUrl": link
            case "vanityName": "../../evil\"><script>alert('vanity')</script>"
            default: nil
            }
        }
        if object["sub"] != nil { altered["profile"] = .string(link) }
        return altered
    }

    private static func mapped(_ object: JSONObject, _ replace: (String) -> String?) -> JSONObject {
        JSONObject(
            object.members.map { member in
                switch member.value {
                case .string: (member.name, replace(member.name).map { .string($0) } ?? member.value)
                case .object(let inner): (member.name, .object(mapped(inner, replace)))
                case .null, .bool, .int, .number, .array, .nested: (member.name, member.value)
                }
            }
        )
    }
}
