package import Encoding

/// A file of trusted CA certificates in the PEM format (RFC 7468).
package enum AuthorityFile {
    /// Why a file cannot be used; nil if it contains a PEM certificate.
    ///
    /// Without a certificate, every call to the provider fails.
    package static func objection(to path: String) -> Advice? {
        let content: [UInt8]
        do throws(OperatorFile.Unusable) {
            content = try OperatorFile.contents(path, limit: OperatorFile.maximumSize)
        } catch {
            if error.isMissing { return "“\(path)” \(error): restore this file, or correct the path" }
            return error.advice.after("“\(path)” ")
        }
        guard !String(decoding: content, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") else { return nil }
        // DER files begin with a SEQUENCE (ITU-T X.690).
        let file = ShellWord.quoted(path)
        let remedy =
            content.first == 0x30
            ? "; it looks like DER, so run: openssl x509 -inform der -in \(file) -out \(file).pem" : ""
        return "“\(path)” contains no PEM certificate, which has a line -----BEGIN CERTIFICATE-----\(remedy)"
    }

    @Sendable static func check(_ path: String) throws(WrongValue) {
        if let advice = objection(to: path) { throw WrongValue(advice) }
    }
}
