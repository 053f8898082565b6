package import Encoding
package import POSIX

import class FoundationEssentials.FileManager
import struct FoundationEssentials.URL
import var Glibc.EACCES
import var Glibc.EFBIG
import var Glibc.EISDIR
import var Glibc.ENOENT

/// A text file named by an operator; status and text come from the same open file.
package struct OperatorFile: Sendable {
    /// Why a file cannot be used, without its path.
    package struct Unusable: Error, CustomStringConvertible {
        package let advice: Advice
        /// Whether the permissions of the file keep this user from reading it.
        package fileprivate(set) var isDenied = false
        /// Whether there is no file at the path.
        fileprivate(set) var isMissing = false

        package var description: String { advice.description }
    }

    /// The maximum size of a settings file or secret in bytes.
    package static let maximumSize = 4 * 1024 * 1024

    package let status: FileStatus
    package let text: String

    /// Reads a whole file as UTF-8.
    ///
    /// - Throws: `Unusable`, with different messages for a missing file, a directory, a denied permission and a wrong
    ///   encoding.
    package init(_ path: String, limit: Int = maximumSize) throws(Unusable) {
        let bytes: [UInt8]
        (status, bytes) = try Self.read(path, limit: limit)
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw Unusable(advice: Self.encodingFault(bytes))
        }
        self.text = text
    }

    /// Reads a whole file of any kind.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - limit: The maximum size in bytes.
    /// - Returns: The bytes.
    /// - Throws: `Unusable`.
    static func contents(_ path: String, limit: Int) throws(Unusable) -> [UInt8] {
        try read(path, limit: limit).bytes
    }

    private static func read(_ path: String, limit: Int) throws(Unusable) -> (status: FileStatus, bytes: [UInt8]) {
        do throws(SystemError) {
            let file = try ReadableFile(path)
            return (file.status, try file.contents(limit: limit))
        } catch {
            throw fault(error, path, limit)
        }
    }

    private static func fault(_ error: SystemError, _ path: String, _ limit: Int) -> Unusable {
        let user = User.current
        switch error.number {
        case ENOENT: return Unusable(advice: "does not exist", isMissing: true)
        case EISDIR: return Unusable(advice: "is a directory, not a file: put a file in its place, or correct the path")
        case EFBIG: return Unusable(advice: "is larger than \(limit) bytes")
        case EACCES where (try? FileStatus(path: path)) == nil:
            let directory = closed(above: path)
            let isLinked = !path.hasPrefix(directory + "/")
            let opening = ["move the file", ShellWord.opening(directory)].compactMap(\.self).joined(separator: ", or ")
            let remedy = isLinked ? copy(inPlaceOf: path, in: directory, for: Group.current.name) : opening
            let what =
                "is \(isLinked ? "a link to a file " : "")in the directory \(directory), which \(user.described) cannot enter"
            let denial = Advice.Denial.directory(directory, isLinked: isLinked)
            return Unusable(advice: Advice(what, ActingUser.isPerson ? "use sudo" : remedy, denial: denial))
        case EACCES:
            let (group, file) = (ShellWord.quoted(Group.current.name), ShellWord.quoted(path))
            // The group of a person in place of that of the service would keep the service from reading the file.
            let managed = ManagedFile.remedy(path, for: user, Group.isOfProcess)
            let remedy = managed ?? "run: chgrp \(group) \(file) && chmod g+r \(file)"
            let way = ActingUser.isPerson ? "use sudo" : remedy
            let reader = ManagedFile.reader(of: path, user)
            let advice = Advice("is not readable by \(reader)", way, denial: .permissions(reader: reader))
            return Unusable(advice: advice, isDenied: true)
        default: return Unusable(advice: "cannot be read: \(error)")
        }
    }

    /// The first directory of a path, or of the file behind its links, that this user cannot enter.
    private static func closed(above path: String) -> String {
        let resolved = { (path: String) in
            ActingUser.performAsRoot { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        }
        let found = [path, resolved(path)].compactMap(FileName.closedDirectory)
        return found.first { resolved($0) == $0 } ?? path
    }

    /// The command that puts a copy of a file, or of its directory, in place of the link to it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - closed: The directory into which the link leads.
    ///   - group: The group that can read the copy.
    /// - Returns: The command.
    package static func copy(inPlaceOf path: String, in closed: String, for group: String) -> String {
        let resolved = { (path: String) in URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        return ActingUser.performAsRoot {
            let names = path.split(separator: "/")
            let directories = names.indices.dropLast().map { "/" + names[...$0].joined(separator: "/") }
            let link = directories.first { SiteService.contains(closed, resolved($0)) } ?? path
            let (source, target) = (ShellWord.quoted(resolved(link)), ShellWord.quoted(link))
            let (group, file) = (ShellWord.quoted(group), ShellWord.quoted(path))
            guard link != path else { return "run: install -m 0640 -g \(group) \(source) \(file)" }
            let opening = "chmod a+x \(target) && chgrp \(group) \(file) && chmod g+r \(file)"
            return "run: rm \(target) && cp -aT \(source) \(target) && \(opening)"
        }
    }

    private static func encodingFault(_ bytes: [UInt8]) -> Advice {
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) || bytes.contains(0) {
            return "is encoded as UTF-16 or contains NUL bytes: save it as UTF-8"
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let number = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        return "line \(number + 1) is not valid UTF-8: save the file as UTF-8"
    }
}
