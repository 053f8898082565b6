import OpenID
import Pages
import Sessions

extension Profile {
    /// Reads the answer of `GET /rest/identityMe` of the product *Verified on LinkedIn*.
    ///
    /// Its `profileUrl` is a LinkedIn redirect for browsers; LinkedIn answers programs that follow it with 999.
    /// Its `id` differs from the ID token's subject, so only the access token connects the two.
    ///
    /// - Throws: `OpenIDError` if there is no identity, or the answer has no basic profile.
    init(identityMe answer: JSON, identity: Identity?) throws(OpenIDError) {
        guard let identity else { throw OpenIDError(.subjectMismatch, detail: "this product needs an ID token") }
        guard let info = answer["basicInfo"], info.objectValue != nil else {
            throw OpenIDError(.resourceMalformed, detail: "the answer has no basicInfo")
        }
        let firstName = LocalizedText(info["firstName"])
        self.init(
            subject: identity.subject,
            name: LocalizedText.fullName(firstName, LocalizedText(info["lastName"])) ?? identity.name,
            email: info["primaryEmailAddress"]?.stringValue ?? identity.email,
            picture: info["profilePicture"]?["croppedImage"]?["downloadUrl"]?.stringValue,
            profileURL: info["profileUrl"]?.stringValue.flatMap(ExternalLink.init)?.text,
            locale: firstName.locale
        )
    }
}
