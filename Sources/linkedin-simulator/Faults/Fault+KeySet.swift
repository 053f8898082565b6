extension Fault {
    /// Spoils a key set.
    ///
    /// - Parameter set: The keys.
    /// - Throws: What the key generator throws.
    func alter(_ set: inout [JSON]) throws {
        guard case .object(var key) = set.first else { return }
        switch kind {
        case .otherKey:
            key["n"] = try SigningKeys.Key(bits: 2048).jwk()["n"]
            set = [.object(key)]
        case .brokenKey:
            set.insert(["kty": "RSA", "kid": "broken", "e": "AQAB", "n": "!"], at: 0)
            set.insert(["kty": "unheard-of", "kid": 7], at: 0)
        case .manyKeys:
            set += (0..<int(.keys, default: 10_000)).map { number in
                key["kid"] = .string("key-\(number)")
                return .object(key)
            }
        default: return
        }
    }
}
