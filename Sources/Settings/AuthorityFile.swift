import class FoundationEssentials.FileManager

/// A file of trusted CA certificates in the PEM format (RFC 7468).
package enum AuthorityFile {
    /// Whether the file can be read and contains a PEM certificate; without one, every call to the provider fails.
    package static func holdsCertificate(_ path: String) -> Bool {
        guard let content = FileManager.default.contents(atPath: path) else { return false }
        return String(decoding: content, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----")
    }

    @Sendable static func check(_ path: String) throws(WrongValue) {
        guard holdsCertificate(path) else {
            throw WrongValue(message: "“\(path)” cannot be read, or contains no PEM certificate")
        }
    }
}
