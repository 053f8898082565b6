import CCurl
import HTTP

extension TransportError {
    /// What the end of a transfer means.
    ///
    /// The detail names the host and has libcurl's sentence for the code, with nothing of the answer.
    init(_ result: CURLcode, of easy: EasyHandle, host: String) {
        // A proxy that says no ends the transfer like a connection that breaks.
        let code = easy.isRefusedByProxy ? .unreachable : Self.code(result)
        guard result == CURLE_PEER_FAILED_VERIFICATION else {
            self.init(code, detail: "\(host): \(result.sentence)")
            return
        }
        if let fault = easy.proxyCertificateFault {
            self.init(code, detail: "the certificate of the proxy \(fault.description)")
        } else {
            // libcurl compares the host itself, after OpenSSL has accepted the certificate.
            self.init(code, detail: Self.detail(of: easy.certificateFault ?? .otherHost, host: host))
        }
    }

    /// The server named another host than the one that was asked for.
    static func otherHost(than host: String) -> TransportError {
        TransportError(.untrusted, detail: detail(of: .otherHost, host: host))
    }

    private static func detail(of fault: CertificateFault, host: String) -> String {
        "the certificate of \(host) \(fault.description)"
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
            // Before 8.6.0, libcurl runs "out of memory" at a header line over 100 kB, its own bound.
            .tooLarge
        default:
            // A partial body, an empty answer, HTTP/0.9 (unsupported protocol), a broken chunk or frame, a reset.
            .malformed
        }
    }
}

extension CURLcode {
    /// libcurl's sentence for this code, which is a constant.
    var sentence: String {
        // Unsafe because it is a C string: libcurl never frees it.
        unsafe String(cString: curl_easy_strerror(self))
    }
}
