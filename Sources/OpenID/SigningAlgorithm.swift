/// A signature algorithm of JWS (RFC 7518 §3.1, RFC 8037 §3.1) that an ID token may be signed with.
///
/// The asymmetric ones only: neither `none` nor a secret that the client shares has a spelling here.
package enum SigningAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case eddsa = "EdDSA"
}
