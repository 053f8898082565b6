import Encoding
import POSIX
import Pages
import Settings
import SignIn
import WebServerConfiguration

import struct FoundationEssentials.Data
import class FoundationEssentials.FileManager
import struct FoundationEssentials.URL
import var Glibc.EISDIR
import var Glibc.ELOOP
import var Glibc.ENOENT
import var Glibc.ENXIO

/// Writes include files: each whole or not at all, and never over a file that another program or person wrote.
struct IncludeFileWriter {
    /// What is at the path of a file now.
    private enum Present {
        case nothing
        case text(String)
    }

    /// Bytes; no include file is larger.
    private static let maximumSize = 4 * 1024 * 1024

    let files: [IncludeFiles.File]

    /// Shows what `write` would change.
    ///
    /// - Returns: The differences of all files, as `diff -u` prints them; empty if there are none.
    /// - Throws: `ConfigurationError` if one of the files must not be written.
    func difference() throws(ConfigurationError) -> String {
        let present = try present()
        return zip(files, present).map { file, old in
            guard case .text(let old) = old else { return UnifiedDiff(path: file.path, old: nil, new: file.text).text }
            return UnifiedDiff(path: file.path, old: old, new: file.text).text
        }.joined()
    }

    /// Writes every file that differs; writes nothing if one of them must not be written.
    ///
    /// - Parameter report: Receives what was done, a line for each file.
    /// - Throws: `ConfigurationError` with every problem.
    func write(report: (String) -> Void) throws(ConfigurationError) {
        for (file, old) in zip(files, try present()) {
            if case .text(file.text) = old {
                report("unchanged: \(file.path)")
                continue
            }
            do {
                try Data(file.text.utf8).write(to: URL(filePath: file.path), options: .atomic)
            } catch {
                let advice = "its directory must exist, and this user must be able to write there"
                throw Self.problem(file.path, "cannot be written: \(advice)")
            }
            report("written: \(file.path)")
        }
    }

    /// Files that this command wrote for the same site and does not write now, each with what to do about it.
    ///
    /// They are the guards of locations that are no longer given. The site may still include them, so they stay.
    var unused: [String] {
        let known = Set(files.map(\.path))
        let places = Set(files.map { Self.directory(of: $0.path) })
        let paths = places.sorted().flatMap { place in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            return names.filter { $0.contains("linkedin-signin-") && $0.hasSuffix(".conf") }.sorted().map {
                "\(place)/\($0)"
            }
        }
        return paths.filter { !known.contains($0) && isOwn($0) }.map { path in
            "\(path) belongs to a guard that an earlier run wrote and no --location names now; it was not changed. To keep the "
                + "guard, name its location again. To end it, remove the lines that include the file, reload the web server, "
                + "and run: rm \(ShellWord.quoted(path))"
        }
    }

    private func isOwn(_ path: String) -> Bool {
        guard let file = files.first, case .text(let text)? = try? Self.read(path) else { return false }
        return file.isOwner(of: text)
    }

    private func present() throws(ConfigurationError) -> [Present] {
        var all: [Present] = []
        var problems: [ConfigurationError.Problem] = []
        for file in files {
            do throws(ConfigurationError) {
                all.append(try present(file))
            } catch {
                problems += error.problems
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return all
    }

    private func present(_ file: IncludeFiles.File) throws(ConfigurationError) -> Present {
        let directory = Self.directory(of: file.path)
        guard FileManager.default.fileExists(atPath: directory + "/.") else {
            throw Self.problem(file.path, "there is no directory \(directory): create it, or name another with --write")
        }
        guard case .text(let text) = try Self.read(file.path) else { return .nothing }
        guard file.isOwner(of: text) else {
            throw Self.problem(
                file.path,
                "was not written by this command for this site: move it away, or name another directory with --write"
            )
        }
        return .text(text)
    }

    /// Reads a regular file; status and content belong to the same open file.
    private static func read(_ path: String) throws(ConfigurationError) -> Present {
        do throws(SystemError) {
            let file = try ReadableFile(path, followsLinks: false)
            if file.status.kind == .regular {
                return .text(String(decoding: try file.contents(limit: maximumSize), as: UTF8.self))
            }
        } catch {
            switch error.number {
            case ENOENT: return .nothing
            case EISDIR, ELOOP, ENXIO: break
            default: throw problem(path, "cannot be read: \(error)")
            }
        }
        throw problem(path, "is not a regular file, so this command did not write it: remove it")
    }

    private static func directory(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    private static func problem(_ subject: String, _ message: String) -> ConfigurationError {
        ConfigurationError(problems: [.init(subject: subject, message: message)])
    }
}
