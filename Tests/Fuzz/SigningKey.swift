import Crypto
import Encoding
import HTTP

@testable import OpenID

/// A provider whose key set always has the same key.
struct SigningKey: Transport {
    private let key: P256.Signing.PrivateKey

    static let fixed: SigningKey = {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 1, count: 32)) else {
            fatalError("the key is invalid")
        }
        return SigningKey(key: key)
    }()

    func signature(over bytes: [UInt8]) -> [UInt8] {
        guard let signature = try? key.signature(for: bytes) else { fatalError("the key cannot sign") }
        return Array(signature.rawRepresentation)
    }

    func send(_: ClientRequest) async throws(TransportError) -> ClientResponse {
        let coordinates = key.publicKey.rawRepresentation
        let (x, y) = (Base64URL.encode(coordinates.prefix(32)), Base64URL.encode(coordinates.suffix(32)))
        let body = #"{"keys":[{"kty":"EC","crv":"P-256","kid":"key","x":"\#(x)","y":"\#(y)"}]}"#
        return ClientResponse(status: 200, body: Array(body.utf8))
    }
}
