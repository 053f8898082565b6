import CCurl
import HTTP

extension TransportError {
    /// The meaning of a transfer's end.
    ///
    /// The detail contains the host and libcurl's text for the code, and no part of the answer.
    init(_ result: CURLcode, of easy: EasyHandle, host: String) {
        // After a proxy's refusal, libcurl's code is that of a broken connection.
        let code = easy.isRefusedByProxy ? .unreachable : Self.code(result)
        guard result == CURLE_PEER_FAILED_VERIFICATION else {
            let isUnresolved =
                result == CURLE_COULDNT_RESOLVE_HOST || result == CURLE_COULDNT_RESOLVE_PROXY
                || (result == CURLE_OPERATION_TIMEDOUT && !easy.hasResolvedName)
            let hasNoHandshake = result == CURLE_SSL_CONNECT_ERROR
            let text = hasNoHandshake ? "the TLS handshake failed before a certificate was judged" : result.text
            self.init(code, detail: "\(host): \(text)", isUnresolved: isUnresolved)
            if hasNoHandshake { trustFault = .handshakeFailed }
            return
        }
        if let fault = easy.proxyCertificateFault {
            self.init(fault, of: "the proxy", code)
        } else {
            // If OpenSSL has accepted the certificate, libcurl itself has rejected the host.
            self.init(easy.certificateFault ?? .otherHost, of: host, code)
        }
    }

    private init(_ fault: CertificateFault, of owner: String, _ code: Code = .untrusted) {
        self.init(code, detail: "the certificate of \(owner) \(fault.description)")
        trustFault = fault.kind
    }

    /// The certificate of the server is for another host.
    static func otherHost(than host: String) -> TransportError { TransportError(.otherHost, of: host) }

    /// The server ended the connection because this client has no certificate.
    static func missingClientCertificate(at host: String) -> TransportError {
        let detail = "\(host): the server demands a client certificate, and ended the connection without it"
        var error = TransportError(.untrusted, detail: detail)
        error.trustFault = .clientCertificateMissing
        return error
    }

    static func code(_ result: CURLcode) -> Code {
        switch result {
        case CURLE_URL_MALFORMAT:
            .refusedURL
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED,
            CURLE_FAILED_INIT, CURLE_NO_CONNECTION_AVAILABLE, CURLE_PROXY:
            .unreachable
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_USE_SSL_FAILED, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
            .untrusted
        case CURLE_OPERATION_TIMEDOUT:
            .timedOut
        case CURLE_FILESIZE_EXCEEDED, CURLE_OUT_OF_MEMORY, ccurl_too_large:
            // Before 8.6.0, libcurl reports "out of memory" for a header line over 100 kB, its own limit.
            .tooLarge
        default:
            // A partial body, an empty answer, HTTP/0.9 (unsupported protocol), a broken chunk or frame, a reset.
            .malformed
        }
    }
}

extension CURLcode {
    /// libcurl's text for this code.
    var text: String {
        // unsafe because it is a C string, a constant of libcurl.
        unsafe String(cString: curl_easy_strerror(self))
    }
}

/// Why a certificate is not accepted.
struct CertificateFault {
    /// The end of a sentence that begins with "the certificate of".
    let description: String
    let kind: TransportError.TrustFault?

    static let otherHost = CertificateFault(kind: .otherHost, description: "names another host")

    private init(kind: TransportError.TrustFault, description: String) {
        (self.kind, self.description) = (kind, description)
    }

    /// Reads OpenSSL's result of the verification; nil if OpenSSL found no fault.
    init?(_ result: Int) {
        switch result {
        case ccurl_certificate_accepted, ccurl_certificate_unjudged: return nil
        case ccurl_certificate_expired: (kind, description) = (.expired, "has expired")
        case ccurl_certificate_not_yet_valid: (kind, description) = (.notYetValid, "is not valid yet")
        case ccurl_certificate_self_signed: (kind, description) = (.selfSigned, "is self-signed")
        case ccurl_chain_self_signed, ccurl_issuer_unknown, ccurl_issuer_unknown_locally, ccurl_leaf_unverifiable:
            (kind, description) = (.unknownAuthority, "is signed by an unknown authority")
        default:
            // unsafe because it is a C string, a constant of OpenSSL.
            let sentence = unsafe String(cString: ccurl_certificate_fault(result))
            (kind, description) = (nil, "is not accepted: \(sentence)")
        }
    }
}
