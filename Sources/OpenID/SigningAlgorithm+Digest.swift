import Encoding

import struct Crypto.SHA256
import struct Crypto.SHA384
import struct Crypto.SHA512

extension SigningAlgorithm {
    /// The left half of a text's hash as base64url, as `at_hash` has it (OpenID Connect Core §3.1.3.6).
    func halfHash(of text: String) -> String {
        let bytes = Array(text.utf8)
        let digest: [UInt8] =
            switch self {
            case .rs256, .ps256, .es256: Array(SHA256.hash(data: bytes))
            case .rs384, .ps384, .es384: Array(SHA384.hash(data: bytes))
            case .rs512, .ps512, .es512, .eddsa: Array(SHA512.hash(data: bytes))
            }
        return Base64URL.encode(digest.prefix(digest.count / 2))
    }
}
