/// Seals what the browser must carry but neither read nor change, with the server's keys.
package protocol Sealer: Sendable {
    /// - Parameters:
    ///   - plaintext: at most a few hundred bytes; it must fit a cookie.
    ///   - purpose: what the text is for; it opens for no other.
    /// - Returns: base64url text.
    /// - Throws: `StoreError` if the system gives no random bytes.
    func seal(_ plaintext: [UInt8], purpose: String) throws(StoreError) -> String

    /// Nil if no current key sealed this text for this purpose.
    func open(_ sealed: String, purpose: String) -> [UInt8]?
}
