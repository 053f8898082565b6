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

    init(_ front: FrontEnd) {
        let host = front.origin.host.filter { $0 != "[" && $0 != "]" }
        let port = front.origin.port.map { "_\($0)" } ?? ""
        let path = front.mount.prefix.replacing("/", with: "+")
        fileName = host + port + path
        identifier = Self.identifier(of: fileName, isPlain: !path.contains("_"))
    }

    /// Replaces `.` by `_`, `-` by `__` and `+` by `___`.
    ///
    /// A label of a host neither begins nor ends with `-`, so the result is unique for names of such labels. Any other
    /// name gets a checksum, and so does a long name, of which only the beginning remains.
    private static func identifier(of name: String, isPlain: Bool) -> String {
        let text = name.replacing("+", with: "___").replacing("-", with: "__")
        let plain = String(text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        let labels = name.split(whereSeparator: { ".+_".contains($0) })
        let isUnique = isPlain && labels.allSatisfy(isLabel) && labels.count == name.count { ".+_".contains($0) } + 1
        guard !isUnique || plain.count > longest else { return plain }
        let digest = SHA256.hash(data: Data(name.utf8)).prefix(4)
        return plain.prefix(longest - 9) + "_" + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static let longest = 31

    private static func isLabel(_ label: Substring) -> Bool {
        let isInner: (Character) -> Bool = { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }
        return label.allSatisfy(isInner) && label.first != "-" && label.last != "-"
    }
}
