import SignIn

import struct FoundationEssentials.Data
import struct FoundationEssentials.FileAttributeKey
import struct FoundationEssentials.FileAttributeType
import class FoundationEssentials.FileManager
import struct FoundationEssentials.URL

/// Writes include files: each whole or not at all, and never over a file of someone else.
struct IncludeFileWriter {
    /// What is there of a file now.
    private enum Present {
        case nothing
        case text(String)
    }

    let files: [IncludeFiles.File]

    /// Shows what `write` would change.
    ///
    /// - Returns: the differences of all files, as `diff -u` prints them; empty if there are none.
    /// - Throws: `ConfigurationError` if one of the files may not be written.
    func difference() throws(ConfigurationError) -> String {
        let present = try present()
        return zip(files, present).map { file, old in
            guard case .text(let old) = old else { return UnifiedDiff(path: file.path, old: nil, new: file.text).text }
            return UnifiedDiff(path: file.path, old: old, new: file.text).text
        }.joined()
    }

    /// Writes every file that differs; nothing is written if one of them may not be.
    ///
    /// - Parameter report: told what was done, a line for each file.
    /// - Throws: `ConfigurationError` with everything that is in the way.
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
                throw problem(file.path, "cannot be written: \(advice)")
            }
            report("written: \(file.path)")
        }
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
        let manager = FileManager.default
        let directory = String(file.path[..<(file.path.lastIndex(of: "/") ?? file.path.startIndex)])
        guard manager.fileExists(atPath: directory + "/.") else {
            throw problem(file.path, "there is no directory \(directory): create it, or name another with --write")
        }
        // Of a symbolic link this says that it is one.
        guard let attributes = try? manager.attributesOfItem(atPath: file.path) else { return .nothing }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw problem(file.path, "is not a regular file, so this command did not write it: remove it")
        }
        guard let data = manager.contents(atPath: file.path) else { throw problem(file.path, "cannot be read") }
        let text = String(decoding: data, as: UTF8.self)
        guard file.isOwner(of: text) else {
            throw problem(
                file.path,
                "was not written by this command for this site: move it away, or name another directory with --write"
            )
        }
        return .text(text)
    }

    private func problem(_ subject: String, _ message: String) -> ConfigurationError {
        ConfigurationError(problems: [.init(subject: subject, message: message)])
    }
}
