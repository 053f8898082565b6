import OpenID
import Pages
import Sessions

extension Profile {
    /// From the call of 2015, `GET /v1/people/~:(public-profile-url)?format=json`.
    ///
    /// It names nobody but by the link, so the link is the subject.
    ///
    /// - Throws: `OpenIDError` if there is no link, or another than the identity's.
    init(people answer: JSON, identity: Identity?) throws(OpenIDError) {
        let told = answer["publicProfileUrl"]?.stringValue ?? ""
        // Addresses of that time began with http://; LinkedIn answers every one of them on https today.
        let link = told.hasPrefix("http://www.linkedin.com/") ? "https" + told.dropFirst(4) : told
        guard let link = ExternalLink(link)?.text else {
            throw OpenIDError(.resourceMalformed, detail: "the answer has no publicProfileUrl")
        }
        guard identity == nil || identity?.subject == link else { throw OpenIDError(.subjectMismatch) }
        self.init(subject: link, profileURL: link)
    }
}
