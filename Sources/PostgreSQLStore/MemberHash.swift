import Sessions

import struct Crypto.SHA256

/// What names a member in the database: SHA-256 of issuer and subject.
enum MemberHash {
    static func bytes(_ identity: Identity) -> [UInt8] {
        // A NUL keeps the two apart: an issuer is a URL and has none.
        Array(SHA256.hash(data: Array(identity.issuer.utf8) + [0] + Array(identity.subject.utf8)))
    }
}
