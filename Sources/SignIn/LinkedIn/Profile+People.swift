import OpenID
import Pages
import Sessions

extension Profile {
    /// Reads the answer of the call of 2015, `GET /v1/people/~:(public-profile-url)?format=json`.
    ///
    /// Only the link identifies the member, so the link is the subject.
    ///
    /// - Throws: `OpenIDError` if the answer has no link, or another link than the identity.
    init(people answer: JSON, identity: Identity?) throws(OpenIDError) {
        let told = answer["publicProfileUrl"]?.stringValue ?? ""
        // Links of that time begin with http://; today LinkedIn serves all of them over https.
        let link = told.hasPrefix("http://www.linkedin.com/") ? "https" + told.dropFirst(4) : told
        guard let link = ExternalLink(link)?.text else {
            throw OpenIDError(.resourceMalformed, detail: "the answer has no publicProfileUrl")
        }
        guard identity == nil || identity?.subject == link else { throw OpenIDError(.subjectMismatch) }
        self.init(subject: link, profileURL: link)
    }
}
