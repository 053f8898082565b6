import Crypto
import Settings

import struct FoundationEssentials.Data

/// The name of one site in a web server's configuration, so that several sites can share one server.
package struct SiteName: Sendable, Equatable {
    /// The host, then the port and the mount, if any: `example.com`, `example.com_8443`, `example.com+account`.
    ///
    /// No host contains `_` or `+`, so two sites never have the same file name.
    let fileName: String
    /// The same in lower-case letters, digits and `_`, which are allowed in names of nginx: `example_com`.
    ///
    /// At most 31 characters: names of variables contain it, and nginx limits their length.
    let identifier: String

    init(_ front: FrontEnd) { self.init(front.origin, front.mount) }

    /// - Parameters:
    ///   - origin: The address of the site without a path.
    ///   - mount: The path of linkedin-signin in the site.
    init(_ origin: WebURL, _ mount: Mount) {
        let host = origin.host.filter { $0 != "[" && $0 != "]" }
        let port = origin.port.map { "_\($0)" } ?? ""
        let path = mount.prefix.replacing("/", with: "+")
        fileName = host + port + path
        identifier = Self.identifier(of: fileName)
    }

    /// Replaces `.` by `_`, `-` by `__` and `+` by `___`.
    ///
    /// A label of a host neither begins nor ends with `-`, so the result is unique for names of such labels. Any other
    /// name gets a checksum, and so does a long name, of which only the beginning remains.
    static func identifier(of name: String) -> String {
        // Only a mount can contain the sign that stands for the other ones.
        let isPlain = !name.drop { $0 != "+" }.contains("_")
        let text = name.replacing("+", with: "___").replacing("-", with: "__")
        let plain = String(text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        let labels = name.split(whereSeparator: { ".+_".contains($0) })
        let isUnique = isPlain && labels.allSatisfy(isLabel) && labels.count == name.count { ".+_".contains($0) } + 1
        guard !isUnique || plain.count > longest else { return plain }
        let digest = SHA256.hash(data: Data(name.utf8)).prefix(4)
        return plain.prefix(longest - 9) + "_" + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Whether an identifier may be that of a site with a host, at any port and with any mount.
    static func mayName(_ identifier: String, host: String) -> Bool {
        let plain = Self.identifier(of: host)
        guard identifier != plain else { return true }
        // A long or unusual name ends with a checksum, and only its beginning is that of the host.
        let (base, end) = (identifier.dropLast(9), identifier.suffix(9))
        if end.first == "_", end.dropFirst().allSatisfy(\.isHexDigit) {
            let length = min(base.utf8.count, plain.utf8.count, longest - 9)
            return base.prefix(length) == plain.prefix(length)
        }
        guard identifier.hasPrefix(plain + "_") else { return false }
        let rest = identifier.dropFirst(plain.utf8.count)
        let port = rest.dropFirst().prefix(while: \.isNumber)
        let mount = port.isEmpty ? rest : rest.dropFirst(1 + port.utf8.count)
        return mount.isEmpty || mount.hasPrefix("___")
    }

    private static let longest = 31

    private static func isLabel(_ label: Substring) -> Bool {
        let isInner: (Character) -> Bool = { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }
        return label.allSatisfy(isInner) && label.first != "-" && label.last != "-"
    }
}
