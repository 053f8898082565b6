import POSIX
import SignIn

import struct FoundationEssentials.CocoaError
import struct FoundationEssentials.FileAttributeKey
import class FoundationEssentials.FileManager
import struct FoundationEssentials.POSIXError
import var Glibc.EACCES
import var Glibc.ENOENT
import var Glibc.EPERM

/// Writes files to a folder, and makes the folder if it is missing.
struct FolderWriter {
    /// What `add` did.
    enum Outcome {
        case written
        /// The file exists with the same content.
        case same
        /// The file exists with other content; it was not changed.
        case different
    }

    let folder: String

    /// Returns the path of a file, given by its path in the folder.
    func path(_ name: String) -> String { folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)" }

    /// Writes a file unless there is one with the same name.
    ///
    /// - Parameters:
    ///   - text: The content.
    ///   - name: The path of the file in the folder.
    /// - Returns: What was done.
    /// - Throws: `StartFailure` if the file or its folder cannot be read or written.
    func add(_ text: String, as name: String) throws(StartFailure) -> Outcome {
        let path = path(name)
        if let present = try read(path) { return present == Array(text.utf8) ? .same : .different }
        try write(text, to: path)
        return .written
    }

    /// Writes a file in place of one with the same name; a symbolic link is replaced, not followed.
    ///
    /// - Throws: `StartFailure` if the file or its folder cannot be written, or if the folder in which a name lies is a symbolic link.
    func replace(_ name: String, with text: String) throws(StartFailure) {
        let path = path(name)
        let place = FileName.directory(of: path)
        if name.contains("/"), (try? FileManager.default.destinationOfSymbolicLink(atPath: place)) != nil {
            throw .cannotCreate("\(place) is a symbolic link: remove it, or name another folder")
        }
        do throws(SystemError) {
            try FileName.remove(path)
        } catch {
            if error.number != ENOENT { throw Self.failure(path, error) }
        }
        try write(text, to: path)
    }

    /// Returns the bytes of a file; nil if there is none.
    ///
    /// - Throws: `StartFailure` if the file cannot be read.
    func content(of name: String) throws(StartFailure) -> [UInt8]? { try read(path(name)) }

    /// Whether the folder is missing or has no file.
    var isEmpty: Bool {
        get throws(StartFailure) {
            guard FileManager.default.fileExists(atPath: folder) else { return true }
            do {
                return try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty
            } catch {
                throw StartFailure.cannotCreate("\(folder) is not a directory, or this user cannot read it")
            }
        }
    }

    private func read(_ path: String) throws(StartFailure) -> [UInt8]? {
        do throws(SystemError) {
            return try ReadableFile(path).contents(limit: 16 << 20)
        } catch {
            if error.number == ENOENT { return nil }
            throw .cannotCreate("\(path) cannot be read: \(error)")
        }
    }

    /// Writes a new file that everyone may read and only this user may change, whatever the umask.
    private func write(_ text: String, to path: String) throws(StartFailure) {
        do {
            let place = FileName.directory(of: path)
            let rights: [FileAttributeKey: any Sendable] = [.posixPermissions: 0o755]
            let files = FileManager.default
            try files.createDirectory(atPath: place, withIntermediateDirectories: true, attributes: rights)
            try NewFile(path, mode: 0o644).write(text)
        } catch {
            let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code
            throw Self.failure(path, error as? SystemError ?? code.map { SystemError("mkdir", $0.rawValue) })
        }
    }

    private static func failure(_ path: String, _ error: SystemError?) -> StartFailure {
        let reason = error.map { ": \($0)" } ?? ""
        let isDenied = [EACCES, EPERM].contains(error?.number)
        let advice = isDenied ? "; name a folder in which this user can write" : ""
        return .cannotCreate("\(path) cannot be written\(reason)\(advice)")
    }
}
