import Encoding
import POSIX
import Pages
import Settings
import SignIn
import WebServerConfiguration

import class FoundationEssentials.FileManager
import var Glibc.EACCES
import var Glibc.EISDIR
import var Glibc.ELOOP
import var Glibc.ENOENT
import var Glibc.ENXIO

/// Writes include files: each whole or not at all, and never over a file that another program or person wrote.
struct IncludeFileWriter {
    /// What is at the path of a file now.
    private typealias Present = (text: String, mode: UInt32)

    /// Bytes; no include file is larger.
    private static let maximumSize = 4 * 1024 * 1024

    private let include: IncludeFiles
    private var files: [IncludeFiles.File] { include.files }
    private let present: [Present?]

    /// Reads the present files.
    ///
    /// - Throws: `ConfigurationError` with every file that must not be written.
    init(_ include: IncludeFiles) throws(ConfigurationError) {
        self.include = include
        var all: [Present?] = []
        var problems: [ConfigurationError.Problem] = []
        for file in include.files {
            do throws(ConfigurationError) {
                all.append(try Self.present(file))
            } catch {
                problems += error.problems
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        present = all
    }

    /// What `write` would change: the differences of all files, as `diff -u` prints them; empty if there are none.
    var difference: String {
        zip(files, present).map { file, old in
            UnifiedDiff(path: file.path, old: old?.text, new: file.text).text
        }.joined()
    }

    /// The paths of the files that do not exist yet.
    var new: Set<String> { Set(zip(files, present).filter { $0.1 == nil }.map(\.0.path)) }

    /// The guards that `write` removes or changes, a sentence each.
    var changes: [String] {
        include.changes(from: zip(files, present).compactMap { file, old in old.map { (file.path, $0.text) } })
    }

    /// Writes every file that differs.
    ///
    /// - Parameter report: Receives what was done, a line for each file.
    /// - Returns: Whether a file was written.
    /// - Throws: `ConfigurationError` if a file cannot be written.
    func write(report: (String) -> Void) throws(ConfigurationError) -> Bool {
        var isChanged = false
        for (file, old) in zip(files, present) {
            // Anyone who can write to a file of the web server's configuration can remove its guards.
            var mode = Self.usualMode
            if let old {
                mode = old.mode & ~0o022
                if old.text == file.text, mode == old.mode {
                    report("unchanged: \(file.path)")
                    continue
                }
            }
            do throws(SystemError) {
                try Self.replace(file.path, with: file.text, mode: mode)
            } catch {
                let advice = error.number == EACCES ? "; run this command with sudo" : ""
                throw Self.problem(file.path, "cannot be written: \(error)\(advice)")
            }
            report("written: \(file.path)")
            isChanged = true
        }
        return isChanged
    }

    /// Whatever the umask: everyone may read the configuration of a web server, which contains no secret.
    private static let usualMode: UInt32 = 0o644

    /// The name of a new file ends differently from those that a web server includes.
    private static func replace(_ path: String, with text: String, mode: UInt32) throws(SystemError) {
        let beside = path + ".new"
        try? FileName.remove(beside)
        let file = try NewFile(beside, mode: mode)
        do throws(SystemError) {
            try file.write(text)
            try FileName.move(beside, to: path)
        } catch {
            file.remove()
            throw error
        }
    }

    /// Files that this command wrote for the same site and does not write now, each with what to do about it.
    ///
    /// They are the guards of locations that are no longer given. The site may still include them, so they stay.
    var unused: [String] {
        let known = Set(files.map(\.path))
        let places = Set(files.map { FileName.directory(of: $0.path) })
        let paths = places.sorted().flatMap { place in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            return names.filter { $0.contains("linkedin-signin-") && $0.hasSuffix(".conf") }.sorted().map {
                "\(place)/\($0)"
            }
        }
        return paths.filter { !known.contains($0) && isOwn($0) }.map { path in
            if let file = files.first(where: { $0.formerPath == path }) {
                return
                    "\(path) is the same guard under its old name; it was not changed. Include \(file.path) in its place, "
                    + "reload the web server, and run: rm \(ShellWord.quoted(path))"
            }
            let effect =
                include.server == .nginx ? ", and nginx rejects all requests for a location that includes it" : ""
            return
                "\(path) belongs to a guard that an earlier run wrote and no --location names now; it was not changed"
                + "\(effect). To keep the guard, name its location again. To end it, remove the lines that include the file, "
                + "reload the web server, and run: rm \(ShellWord.quoted(path))"
        }
    }

    private func isOwn(_ path: String) -> Bool {
        guard let file = files.first, let present = try? Self.read(path) else { return false }
        return file.isOwner(of: present.text)
    }

    private static func present(_ file: IncludeFiles.File) throws(ConfigurationError) -> Present? {
        let directory = FileName.directory(of: file.path)
        guard FileManager.default.fileExists(atPath: directory + "/.") else {
            throw problem(file.path, "there is no directory \(directory): create it, or name another with --write")
        }
        guard let present = try read(file.path) else { return nil }
        // An empty file is usually one of this command, damaged by an operator or by a full disk.
        guard file.isOwner(of: present.text) || present.text.allSatisfy(\.isWhitespace) else {
            throw problem(
                file.path,
                "was not written by this command for this site: move it away, or name another directory with --write"
            )
        }
        return present
    }

    /// Reads a regular file, nil if there is none; status and content belong to the same open file.
    private static func read(_ path: String) throws(ConfigurationError) -> Present? {
        do throws(SystemError) {
            let file = try ReadableFile(path, followsLinks: false)
            if file.status.kind == .regular {
                let text = String(decoding: try file.contents(limit: maximumSize), as: UTF8.self)
                return (text, file.status.permissions)
            }
        } catch {
            switch error.number {
            case ENOENT: return nil
            case EISDIR, ELOOP, ENXIO: break
            default: throw problem(path, "cannot be read: \(error)")
            }
        }
        throw problem(path, "is not a regular file, so this command did not write it: remove it")
    }

    private static func problem(_ subject: String, _ message: String) -> ConfigurationError {
        ConfigurationError(problems: [.init(subject: subject, message: message)])
    }
}
