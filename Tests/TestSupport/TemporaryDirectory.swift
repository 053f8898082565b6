import class Foundation.FileManager
import struct Foundation.UUID

/// A directory for one test, removed with its content on deinit.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("signin-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    /// The path of a file in the directory.
    package func path(_ name: String) -> String { path + "/" + name }

    deinit {
        // If this fails, the system removes temporary files later.
        try? FileManager.default.removeItem(atPath: path)
    }
}
