import Crypto

/// A person who can sign in.
struct Member: Sendable {
    /// The member's number in the consent form, from 1.
    let number: Int
    var givenName: String
    /// Empty for a person with one name.
    var familyName: String
    let email: String?
    var isEmailVerified = true
    let hasPicture: Bool
    /// Language and country, as in `en_US`.
    let language: String
    let country: String
    let vanityName: String
    let headline: String

    var name: String { familyName.isEmpty ? givenName : "\(givenName) \(familyName)" }

    var locale: String { "\(language)_\(country)" }

    /// The pairwise subject: ten characters, different for each application (OpenID Connect Core §8.1).
    func subject(for clientID: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let digest = SHA256.hash(data: Array("\(clientID) \(number)".utf8))
        return String(decoding: digest.prefix(10).map { alphabet[Int($0 & 63)] }, as: UTF8.self)
    }

    /// The URL of the picture, with a signature and an expiry like the URLs of LinkedIn's image servers.
    func picture(base: String, now: Int) -> String? {
        guard hasPicture else { return nil }
        let path = "/dms/image/\(number)/profile-displayphoto-shrink_100_100/0/1700000000000"
        return "\(base)\(path)?e=\(now + 7_776_000)&v=beta&t=simulated-\(number)"
    }

    /// The opaque name of the profile in the URL that `identityMe` returns.
    var redirectToken: String { "AEkAA\(subject(for: "profile-thirdparty-redirect"))" }

    func profileURL(base: String) -> String {
        "\(base)/in/\(Percent.encodeSegment(vanityName))"
    }
}
