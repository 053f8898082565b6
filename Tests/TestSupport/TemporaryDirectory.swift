import class Foundation.FileManager
import struct Foundation.UUID

/// A directory of a test's own, removed with everything in it when the test lets go of it.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("signin-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    /// The path of something in it.
    package func path(_ name: String) -> String { path + "/" + name }

    deinit {
        // What a test leaves behind is of no consequence, and the system's own clearing takes it.
        try? FileManager.default.removeItem(atPath: path)
    }
}
