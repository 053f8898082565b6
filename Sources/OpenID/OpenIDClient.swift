package import HTTP

package import struct FoundationEssentials.Date

/// A client of one OpenID provider: the protocol's messages, made and checked (OpenID Connect Core §3.1).
///
/// It keeps nothing but the provider's public keys. The caller remembers the `AuthorizationRequest`, compares its state
/// with the answer's, and lets it be used once, before it spends the code here.
package struct OpenIDClient: Sendable {
    package let provider: Provider
    let credentials: ClientCredentials
    let redirectURI: String
    let transport: any Transport
    package let now: @Sendable () -> Date
    let pause: @Sendable (Duration) async throws -> Void
    let keySet: KeySet

    /// Makes a client; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - provider: the endpoints and the switches.
    ///   - credentials: what the provider knows this application by.
    ///   - redirectURI: the absolute URI registered there, byte for byte (RFC 6749 §3.1.2).
    ///   - transport: the network; it must not follow redirects.
    ///   - now: the wall clock.
    ///   - pause: waits that long, or throws to give up; `Task.sleep` outside of tests.
    package init(
        provider: Provider,
        credentials: ClientCredentials,
        redirectURI: String,
        transport: any Transport,
        now: @escaping @Sendable () -> Date,
        pause: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.provider = provider
        self.credentials = credentials
        self.redirectURI = redirectURI
        self.transport = transport
        self.now = now
        self.pause = pause
        keySet = KeySet(address: provider.jwksURI, transport: transport, now: now)
    }
}
