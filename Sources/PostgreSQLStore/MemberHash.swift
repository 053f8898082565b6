import Sessions

import struct Crypto.SHA256

/// The name of a member in the database: SHA-256 of issuer and subject.
enum MemberHash {
    static func bytes(_ identity: Identity) -> [UInt8] {
        // A NUL separates the two: an issuer is a URL and contains none.
        Array(SHA256.hash(data: Array(identity.issuer.utf8) + [0] + Array(identity.subject.utf8)))
    }
}
