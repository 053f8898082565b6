import HTTP
import OpenID

extension OpenIDClient {
    /// Verifies a token by a provider that publishes these keys.
    static func verify(
        _ token: String,
        keys: [String],
        provider: Provider = .make(),
        accessToken: String? = nil,
        nonce: String? = nil
    ) async throws(OpenIDError) -> IDToken {
        let transport: ScriptedTransport
        do {
            transport = try KeySetPeer(keys).transport
        } catch {
            throw OpenIDError(.keysUnavailable, detail: "the test is wrong: \(error)")
        }
        return try await OpenIDClient.make(provider: provider, transport: transport)
            .verify(idToken: token, accessToken: accessToken, nonce: nonce)
    }

    /// Why a token is refused; nil if it is not.
    static func refusal(
        _ token: String,
        keys: [String],
        provider: Provider = .make(),
        accessToken: String? = nil,
        nonce: String? = nil
    ) async -> OpenIDError.Code? {
        do throws(OpenIDError) {
            _ = try await verify(token, keys: keys, provider: provider, accessToken: accessToken, nonce: nonce)
            return nil
        } catch {
            return error.code
        }
    }
}
