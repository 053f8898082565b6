import CCurl

/// Why a certificate is not accepted.
struct CertificateFault {
    /// The end of a sentence that begins with "the certificate of".
    let description: String

    static let otherHost = CertificateFault(description: "names another host")

    private init(description: String) {
        self.description = description
    }

    /// Reads OpenSSL's result of the verification; nil if OpenSSL found no fault.
    init?(_ result: Int) {
        switch result {
        case ccurl_certificate_accepted, ccurl_certificate_unjudged: return nil
        case ccurl_certificate_expired: description = "has expired"
        case ccurl_certificate_not_yet_valid: description = "is not valid yet"
        case ccurl_certificate_self_signed: description = "is self-signed"
        case ccurl_chain_self_signed, ccurl_issuer_unknown, ccurl_issuer_unknown_locally, ccurl_leaf_unverifiable:
            description = "is signed by an unknown authority"
        default:
            // Unsafe because it is a C string: OpenSSL never frees it.
            let sentence = unsafe String(cString: ccurl_certificate_fault(result))
            description = "is not accepted: \(sentence)"
        }
    }
}
