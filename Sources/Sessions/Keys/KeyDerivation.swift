import Crypto

/// The expand step of HKDF with SHA-256 (RFC 5869 §2.3), for outputs of one block.
///
/// There is no extract step because every key here is already uniformly random (RFC 5869 §3.3). It is written with the
/// hash function because the library's HKDF returns a key whose bytes only unsafe code can read.
package enum KeyDerivation {
    private static let blockCount = 64

    /// Derives 32 bytes.
    ///
    /// - Parameters:
    ///   - key: 32 random bytes.
    ///   - info: the purpose of the bytes.
    /// - Returns: bytes that reveal neither the key nor the bytes of another purpose.
    package static func expand(_ key: [UInt8], info: [UInt8]) -> [UInt8] {
        var message = info
        message.append(1)
        return authenticate(message, key: key)
    }

    /// HMAC-SHA-256 (RFC 2104) for keys of at most one block.
    private static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition(key.count <= blockCount, "a key longer than a block must be hashed first")
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
