extension SettingSources {
    /// Settings whose values are words for people, in which a # may stand.
    private static let freeTexts: Set = ["SIGNIN_CONTACT", "SIGNIN_SITE_NAME"]

    /// The product that rules have to agree with; nil if it is not known.
    package var product: LinkedInProduct? {
        LinkedInProduct(rawValue: value(.product)?.text ?? Setting.product.defaultText ?? "")
    }

    /// Values that were set in a form that another program would take apart, and this one does not.
    var mistakes: [ConfigurationError.Problem] {
        Setting.all.compactMap { setting in
            guard let value = value(setting), let message = Self.mistake(in: value.text, of: setting) else {
                return nil
            }
            return .init(subject: setting.name, message: message)
        }
    }

    /// - Returns: what is wrong and what to do, without the value.
    private static func mistake(in text: String, of setting: Setting) -> String? {
        if let quote = text.first, quote == text.last, text.count > 1, quote == "\"" || quote == "'" {
            return "has quotes around the value, which would become part of it: remove them"
        }
        guard setting.isSecret || setting == .clientID else {
            let isComment = text.contains(" #") && !freeTexts.contains(setting.name)
            return isComment ? "has a comment behind the value: put the comment on a line of its own" : nil
        }
        let name = text.prefix { $0 != "=" }
        if name.count < text.count, isName(name) {
            return "looks like a line of a settings file: give only what follows the = sign"
        }
        return text.contains(where: \.isWhitespace) ? "has blanks or several lines: give only the value itself" : nil
    }

    private static func isName(_ text: Substring) -> Bool {
        let name = text.trimmingPrefix("export ").filter { $0 != " " }.uppercased()
        return name.hasPrefix("LINKEDIN_") || name.hasPrefix("SIGNIN_") || name == "CLIENT_SECRET"
            || name == "CLIENT_ID"
    }
}
