import Crypto

/// The S256 code challenge (RFC 7636).
enum CodeChallenge {
    static func isValid(_ challenge: String) -> Bool {
        challenge.utf8.count == 43 && isUnreserved(challenge)
    }

    /// Whether a verifier has the form section 4.1 asks for and belongs to a challenge (section 4.6).
    static func matches(verifier: String, challenge: String) -> Bool {
        guard (43...128).contains(verifier.utf8.count), isUnreserved(verifier) else { return false }
        return Base64URL.encode(SHA256.hash(data: Array(verifier.utf8))) == challenge
    }

    private static func isUnreserved(_ text: String) -> Bool {
        Percent.encode(text) == text
    }
}
