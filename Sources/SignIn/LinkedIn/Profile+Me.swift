import HTTP
import OpenID
import Sessions

extension Profile {
    /// Reads the answer of `GET /v2/me` for applications with `r_basicprofile`; the vanity name forms the link.
    ///
    /// - Throws: `OpenIDError` if the answer does not name a member, or names another member than the identity.
    init(me answer: JSON, identity: Identity?) throws(OpenIDError) {
        guard let id = answer["id"]?.stringValue, (1...255).contains(id.utf8.count) else {
            throw OpenIDError(.resourceMalformed, detail: "the answer has no id")
        }
        guard identity == nil || identity?.subject == id else { throw OpenIDError(.subjectMismatch) }
        let firstName = LocalizedText(answer["firstName"])
        let vanityName = answer["vanityName"]?.stringValue ?? ""
        self.init(
            subject: id,
            name: LocalizedText.fullName(firstName, LocalizedText(answer["lastName"])),
            email: identity?.email,
            profileURL: vanityName.isEmpty ? nil : "https://www.linkedin.com/in/" + Percent.encode(vanityName),
            locale: firstName.locale
        )
    }
}
