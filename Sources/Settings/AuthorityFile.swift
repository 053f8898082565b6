import class FoundationEssentials.FileManager

/// A file of certificates to trust, as OpenSSL reads it (PEM, RFC 7468).
enum AuthorityFile {
    /// Whether anything in there can be a certificate; without one every call to the provider would fail.
    static func holdsCertificate(_ path: String) -> Bool {
        guard let content = FileManager.default.contents(atPath: path) else { return false }
        return String(decoding: content, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----")
    }
}
