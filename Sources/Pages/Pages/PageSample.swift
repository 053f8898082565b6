/// A page with invented data.
struct PageSample: Sendable {
    /// The name of its file, without suffix; no other sample has it.
    let name: String
    let page: Page

    init(_ name: String, _ content: any PageContent) {
        (self.name, page) = (name, Page(content: content))
    }

    static let profileURL = "https://www.linkedin.com/in/ada-lovelace-1815"
    /// The address of the picture in the samples, which a preview replaces.
    static let pictureURL = "https://media.licdn.com/sample"
}

extension SignedInMember {
    static let ada = Self(name: "Ada Lovelace", email: "ada@example.com", pictureURL: PageSample.pictureURL, id: "ada")
    /// Long texts, for which narrow screens have little room.
    static let long = SignedInMember(
        name: "Maximiliane Freifrau von Hohenstein-Waldburg",
        email: "maximiliane.von.hohenstein-waldburg@department.example.com",
        id: "maximiliane"
    )
}
