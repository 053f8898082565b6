import Encoding

import struct Crypto.SHA256

/// Proof key for code exchange (RFC 7636), by the only method worth having, S256.
enum PKCE {
    /// BASE64URL(SHA256(ASCII(code_verifier))), RFC 7636 §4.2.
    static func challenge(for verifier: String) -> String {
        Base64URL.encode(SHA256.hash(data: Array(verifier.utf8)))
    }
}
