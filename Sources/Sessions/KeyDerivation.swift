import Crypto

/// HKDF with SHA-256 (RFC 5869), for outputs of one block.
///
/// Written on the hash itself, because the library's HKDF takes 3 us a step and this takes half of one.
enum KeyDerivation {
    static let byteCount = 32
    private static let blockCount = 64

    /// HKDF-Extract, RFC 5869 §2.2; the salt is at most 64 bytes.
    static func extract(salt: [UInt8], from secret: [UInt8]) -> [UInt8] {
        authenticate(secret, key: salt)
    }

    /// The first block of HKDF-Expand, RFC 5869 §2.3; the key has 32 bytes.
    static func expand(_ key: [UInt8], info: [UInt8]) -> [UInt8] {
        authenticate(info + [1], key: key)
    }

    /// HMAC-SHA-256, RFC 2104, for keys that fit a block.
    private static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition(key.count <= blockCount, "longer keys would have to be hashed first")
        var inner = [UInt8](repeating: 0x36, count: blockCount)
        var outer = [UInt8](repeating: 0x5c, count: blockCount)
        for index in key.indices {
            inner[index] ^= key[index]
            outer[index] ^= key[index]
        }
        inner += message
        outer += SHA256.hash(data: inner)
        return Array(SHA256.hash(data: outer))
    }
}
