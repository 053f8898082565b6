import struct Foundation.FileAttributeKey
import class Foundation.FileManager
import class Foundation.NSNumber

/// A file that holds one secret and is kept from everybody else.
package enum SecretFile {
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads the text of a file, without the line break at its end.
    ///
    /// - Throws: `Unusable` if it cannot be read, is empty, or may be read by every user of the machine.
    package static func read(_ path: String) throws -> String {
        let manager = FileManager.default
        guard let data = manager.contents(atPath: path) else {
            throw Unusable(description: "\(path) cannot be read")
        }
        guard isPrivate(path) else {
            throw Unusable(description: "\(path) may be read by everybody; run chmod 600 on it")
        }
        guard var text = String(validating: data, as: UTF8.self) else {
            throw Unusable(description: "\(path) is no text")
        }
        while text.last?.isNewline == true { text.removeLast() }
        guard !text.isEmpty else { throw Unusable(description: "\(path) is empty") }
        return text
    }

    /// Whether a file is there and not for every user of the machine to read or write.
    package static func isPrivate(_ path: String) -> Bool {
        mode(path).map { $0 & 0o007 == 0 } ?? false
    }

    /// Whether a file is there and for the users of its group to read, who need not all be meant to.
    package static func isForGroup(_ path: String) -> Bool {
        mode(path).map { $0 & 0o040 != 0 } ?? false
    }

    private static func mode(_ path: String) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.posixPermissions] as? NSNumber)?.intValue
    }
}
