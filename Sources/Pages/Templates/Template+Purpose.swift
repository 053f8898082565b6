extension Template {
    /// What the template is for, for its authors.
    var purpose: String {
        switch self {
        case .layout: "the frame of every page; the other templates fill its blocks `title` and `main`"
        case .home: "the home page: sign in, get the profile link, sign out"
        case .profile: "the member's profile"
        case .signedOut: "the page after signing out"
        case .forget: "the page that asks before the member's data is deleted"
        case .forgotten: "the page after the deletion"
        case .tokens: "the page where a member makes and revokes personal tokens"
        case .resume: "the page that sends a form that was kept during sign-in"
        case .problem: "every error page"
        case .member: "the member's picture, name and e-mail address, included by `home`, `profile` and `forget`"
        case .signIn: "the button that begins a sign-in, included by `home`"
        case .footer: "the end of every page, such as links to your imprint; empty unless you write it"
        case .style: "the style sheet of every page"
        }
    }

    /// The fields that the template can use, in addition to those of every page.
    var usableFields: [TemplateField] {
        guard self == .member else { return fields }
        let (profile, forget) = (Template.profile.fields, Template.forget.fields)
        return Template.home.fields.filter { profile.contains($0) && forget.contains($0) }
    }

    /// The embedded text, below a comment with the tags that it can use; the comment prints nothing.
    ///
    /// The style sheet has no comment, because every byte of it is part of the pages.
    var documentedText: String {
        guard self != .style else { return embedded }
        let width = 2 + (usableFields.map(\.rawValue.utf8.count).max() ?? 0)
        let tags = usableFields.map { field in
            let space = String(repeating: " ", count: width - field.rawValue.utf8.count)
            return "  \(field.rawValue)\(space)\(field.meaning)"
        }
        let needed = requiredTags.isEmpty ? [] : ["It must contain: \(requiredTags.joined(separator: ", "))"]
        let others = "Tags of every page: linkedin-signin print-templates"
        let lines = ["\(fileName): \(purpose)."] + tags + needed + [others]
        return "{{! \(lines.joined(separator: "\n")) }}\n" + embedded
    }
}

/// A file of the template directory with its built-in content.
package struct TemplateFile: Sendable, Equatable {
    /// The path of the file in the directory.
    package let path: String
    package let text: String

    /// The built-in templates, each with a comment that names its tags, and the built-in language files.
    package static var all: [TemplateFile] {
        let templates = Template.allCases.map { TemplateFile(path: $0.fileName, text: $0.documentedText) }
        let languages = Language.builtIn.compactMap { language in
            LanguageFile.embeddedText(of: language).map {
                TemplateFile(path: "\(LanguageSet.directory)/\(language.tag)\(LanguageSet.suffix)", text: $0)
            }
        }
        return templates + languages
    }
}
