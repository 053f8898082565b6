import HTTP
import OpenID
import Sessions

extension Profile {
    /// Reads the answer of `GET /rest/identityMe` of the product *Verified on LinkedIn*.
    ///
    /// Its `profileUrl` is a LinkedIn redirect for browsers; LinkedIn answers programs that follow it with 999.
    /// Its `id` differs from the ID token's subject, so only the access token connects the two. The first answer for a
    /// session is about the member of its sign-in; each later one must have the same `id`.
    ///
    /// - Parameters:
    ///   - answer: the answer.
    ///   - identity: the identity of the sign-in.
    ///   - knownID: the `id` of the first answer for this session; nil before it.
    /// - Throws: `OpenIDError` if there is no identity, the answer has no basic profile, or it is about another member.
    init(identityMe answer: JSON, identity: Identity?, knownID: String? = nil) throws(OpenIDError) {
        guard let identity else { throw OpenIDError(.subjectMismatch, detail: "this product needs an ID token") }
        guard let info = answer["basicInfo"], info.objectValue != nil else {
            throw OpenIDError(.resourceMalformed, detail: "the response has no basicInfo")
        }
        let id = answer["id"]?.stringValue.flatMap { (1...255).contains($0.utf8.count) ? $0 : nil }
        if let knownID {
            guard let id else { throw OpenIDError(.resourceMalformed, detail: "the response has no id") }
            guard id.utf8.elementsEqual(knownID.utf8) else {
                throw OpenIDError(.subjectMismatch, detail: "the id is not that of the first response for this session")
            }
        }
        let picture = info["profilePicture"]?["croppedImage"]
        let firstName = LocalizedText(info["firstName"])
        self.init(
            subject: identity.subject,
            name: LocalizedText.fullName(firstName, LocalizedText(info["lastName"])) ?? identity.name,
            email: info["primaryEmailAddress"]?.stringValue ?? identity.email,
            picture: picture?["downloadUrl"]?.stringValue,
            profileURL: info["profileUrl"]?.stringValue.flatMap(Self.link),
            locale: firstName.locale,
            pictureExpires: picture?["downloadUrlExpiresAt"]?.numberValue.flatMap(Self.seconds),
            endpointID: id
        )
    }

    /// The seconds since 1970 of a time in milliseconds; nil unless it is in the years 1970 to 9999.
    private static func seconds(_ milliseconds: Double) -> Int? {
        (0...253_402_300_799_000).contains(milliseconds) ? Int(milliseconds / 1000) : nil
    }

    /// Reads the answer of `GET /v2/me` for applications with `r_basicprofile`; the vanity name forms the link.
    ///
    /// - Throws: `OpenIDError` if the answer does not name a member, or names another member than the identity.
    init(me answer: JSON, identity: Identity?) throws(OpenIDError) {
        guard let id = answer["id"]?.stringValue, (1...255).contains(id.utf8.count) else {
            throw OpenIDError(.resourceMalformed, detail: "the response has no id")
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

    /// Reads the answer of the call of 2015, `GET /v1/people/~:(public-profile-url)?format=json`.
    ///
    /// Only the link identifies the member, so the link is the subject.
    ///
    /// - Throws: `OpenIDError` if the answer has no link, or another link than the identity.
    init(people answer: JSON, identity: Identity?) throws(OpenIDError) {
        let told = answer["publicProfileUrl"]?.stringValue ?? ""
        // Links of that time begin with http://; today LinkedIn serves all of them over https.
        let link = told.hasPrefix("http://www.linkedin.com/") ? "https" + told.dropFirst(4) : told
        guard let link = Self.link(link) else {
            throw OpenIDError(.resourceMalformed, detail: "the response has no publicProfileUrl")
        }
        guard identity == nil || identity?.subject == link else { throw OpenIDError(.subjectMismatch) }
        self.init(subject: link, profileURL: link)
    }
}
