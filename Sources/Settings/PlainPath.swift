import Encoding

/// Absolute paths that mean the same in every configuration file.
package enum PlainPath {
    /// The rule, for error messages.
    package static let rule =
        "a path begins with / and contains only letters, digits, - . _ ~ and single slashes, but no /./ or /../"

    package static func isPlain(_ path: String) -> Bool {
        path.hasPrefix("/") && isPlainOrEmpty(path)
    }

    static func isPlainOrEmpty(_ path: String) -> Bool {
        let isPlain = path.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-._~/".utf8.contains($0) }
        let climbs = path.split(separator: "/").contains { $0 == "." || $0 == ".." }
        return isPlain && !path.contains("//") && !climbs
    }
}
