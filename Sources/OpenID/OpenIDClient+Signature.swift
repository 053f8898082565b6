extension OpenIDClient {
    /// How many keys are tried on a token that names none.
    private static let mostKeysTried = 8

    private enum Verdict {
        case valid
        case invalid
        /// The set has no key of that name and kind.
        case noKey
    }

    /// Checks a token's signature, asking for newer keys once if those at hand do not fit.
    func checkSignature(of token: SignedToken) async throws(OpenIDError) {
        let keys = try await keySet.snapshot()
        var verdict = judge(token, by: keys)
        // A provider may have made new keys and kept their names, or have published a damaged set when it was asked.
        if verdict != .valid, let newer = await keySet.newer(than: keys) { verdict = judge(token, by: newer) }
        switch verdict {
        case .valid: break
        case .invalid: throw OpenIDError(.idTokenSignature, detail: "the signature is not by the provider's key")
        case .noKey: throw OpenIDError(.idTokenKey, detail: "the provider's key set has no such key")
        }
    }

    private func judge(_ token: SignedToken, by keySet: KeySet.Snapshot) -> Verdict {
        let candidates = keySet.keys.filter { key in
            key.fits(token.algorithm) && isNamed(key, by: token)
        }
        for key in candidates.prefix(Self.mostKeysTried)
        where key.signed(token.signature, over: token.signingInput, by: token.algorithm) {
            return .valid
        }
        return candidates.isEmpty ? .noKey : .invalid
    }

    private func isNamed(_ key: VerificationKey, by token: SignedToken) -> Bool {
        guard let name = token.keyIdentifier else { return true }
        return key.identifier?.isIdentical(to: name) ?? false
    }
}
