import Foundation

/// The right to mount file systems that no other process sees, which some containers and chroots do not give.
package enum MountNamespace {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("mount-namespace").path

    /// A command that runs the command after it in a mount namespace of its own.
    package static let command = [script]

    /// Why this process cannot have a mount namespace and how to give it the right, or nil if it can.
    package static let missingRight: String? = {
        let check = Process()
        let output = Pipe()
        check.executableURL = URL(fileURLWithPath: script)
        check.arguments = ["--check"]
        check.standardOutput = output
        do {
            try check.run()
        } catch {
            return "\(script) does not run: \(error)"
        }
        let text = output.fileHandleForReading.readDataToEndOfFile()
        check.waitUntilExit()
        guard check.terminationStatus != 0 else { return nil }
        return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
    }()
}
