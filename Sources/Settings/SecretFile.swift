import Encoding
import POSIX

/// A file that holds one secret and is kept from everybody else.
package enum SecretFile {
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads the text of a file, without the line break at its end.
    ///
    /// - Throws: `Unusable` if it cannot be read, is empty, or is open to every user of the machine.
    package static func read(_ path: String) throws -> String {
        let file: OperatorFile
        do throws(OperatorFile.Unusable) {
            file = try OperatorFile(path)
        } catch {
            throw Unusable(description: "\(path) \(error)")
        }
        guard isPrivate(file.status) else {
            throw Unusable(description: "\(path) is readable for every user; run: chmod 600 \(ShellWord.quoted(path))")
        }
        var text = file.text
        while text.last?.isNewline == true { text.removeLast() }
        guard !text.isEmpty else { throw Unusable(description: "\(path) is empty") }
        return text
    }

    /// Whether a file exists that not every user of the machine can read or write.
    package static func isPrivate(_ path: String) -> Bool {
        (try? FileStatus(path: path)).map(isPrivate) ?? false
    }

    /// Whether a file exists that the users of its group can read.
    package static func isForGroup(_ path: String) -> Bool {
        (try? FileStatus(path: path)).map { $0.permissions & 0o040 != 0 } ?? false
    }

    private static func isPrivate(_ status: FileStatus) -> Bool {
        status.permissions & 0o007 == 0
    }
}
