import struct Foundation.Data
import struct Foundation.URL

/// A file of this repository, for tests that compare the sources with what runs.
package enum SourceFile {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    /// Reads a file as text.
    ///
    /// - Parameter path: Relative to the root of the repository.
    /// - Returns: The text of the file.
    /// - Throws: The error of reading the file.
    package static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }
}
