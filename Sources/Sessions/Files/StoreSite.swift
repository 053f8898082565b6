import Encoding
import Glibc
import POSIX

/// The base URL of the site to which a state directory belongs, in a file of that directory.
///
/// Commands compare it with their settings. Without it, a command with the settings of one site and the state directory of
/// another would end the sessions of the wrong members.
package struct StoreSite: Sendable {
    static let fileName = "base-url"
    /// Longer than any URL in the settings.
    private static let maximumSize = 4_096

    private let directory: String
    private let files: FileSystem

    /// - Parameters:
    ///   - directory: The path of the state directory.
    ///   - files: The system.
    package init(directory: String, files: FileSystem = FileSystem()) {
        self.directory = StoreDirectories.withoutSlashes(directory)
        self.files = files.at(directory)
    }

    private var file: String { "\(directory)/\(Self.fileName)" }

    /// Reads the base URL; nil if the directory remembers none, or does not exist yet.
    ///
    /// - Throws: `StoreError` with the command that repairs the file.
    package func read() throws(StoreError) -> String? {
        let found = try asStoreError { () throws(SystemError) -> [UInt8]? in
            do throws(SystemError) {
                guard let root = try files.openDirectoryIfPresent(directory, in: .working) else { return nil }
                let open = try files.openFile(Self.fileName, in: root)
                guard try files.status(open).kind == .regular else { return [] }
                return try files.read(open, count: Self.maximumSize)
            } catch {
                switch error.number {
                case ENOENT: return nil
                case ELOOP: return []
                default: throw error
                }
            }
        }
        guard let found else { return nil }
        let text = String(validating: found, as: UTF8.self)?.trimmed(while: \.isWhitespace) ?? ""
        guard !text.isEmpty, !text.contains(where: \.isWhitespace) else {
            let remedy = "run: rm \(ShellWord.quoted(file)), and the next start of serve writes it again"
            throw StoreError(.damaged, detail: "\(file) does not contain the base URL of a site", remedy: remedy)
        }
        return String(text)
    }

    /// Makes a directory that remembers no site belong to one.
    ///
    /// - Parameter baseURL: The base URL of the site.
    /// - Returns: Whether the directory remembered none until now.
    /// - Throws: `StoreError`; then the directory remembers what it did before.
    package func claim(_ baseURL: String) throws(StoreError) -> Bool {
        try asStoreError { () throws(SystemError) in
            let root = try files.openDirectory(directory, in: .working)
            return try files.publish(Array("\(baseURL)\n".utf8), as: Self.fileName, in: root)
        }
    }

    /// Makes the directory belong to a site with another base URL.
    ///
    /// - Parameter baseURL: The new base URL.
    /// - Throws: `StoreError`; then the directory remembers what it did before.
    package func change(to baseURL: String) throws(StoreError) {
        try asStoreError { () throws(SystemError) in
            let root = try files.openDirectory(directory, in: .working)
            try files.overwrite(Self.fileName, with: Array("\(baseURL)\n".utf8), in: root)
        }
    }
}
