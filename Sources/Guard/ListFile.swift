import Encoding
import POSIX

import struct FoundationEssentials.Date
import var Glibc.EACCES
import var Glibc.ENOENT

/// A file that lists members.
struct ListFile: Sendable {
    /// The reason why a file cannot be used as a list, for the operator.
    struct Fault: Error, Equatable {
        /// False if the file could be read but a line is not an entry.
        let isUnreadable: Bool
        /// Whether the permissions of the file or of a directory keep this user from reading it.
        var isDenied = false
        /// Whether the mode of the file lets every user write it.
        var isExposed = false
        let advice: Advice

        /// Why a rule with this list rejects everyone.
        var denial: Denial { isUnreadable ? .listUnreadable : .listInvalid }
    }

    typealias Content = Result<Set<MemberPattern>, Fault>

    static let maximumSize = 4 * 1024 * 1024

    let path: String
    let provider: MemberProvider

    /// Reads the file.
    ///
    /// - Returns: The entries or the fault, and the stamp of the file; the stamp is nil if only another attempt can show
    ///   whether the content has changed.
    func read() -> (content: Content, stamp: FileStamp?) {
        let bytes: [UInt8]
        let status: FileStatus
        do throws(SystemError) {
            let file = try ReadableFile(path)
            status = file.status
            if let fault = fault(of: status) { return (.failure(fault), nil) }
            bytes = try file.contents(limit: Self.maximumSize)
        } catch {
            let advice: Advice =
                error.number == ENOENT
                ? "\(path) does not exist: create this list, or correct its path in the rule"
                : "cannot read \(path): \(error)"
            let fault = Fault(isUnreadable: true, isDenied: error.number == EACCES, advice: advice)
            return (.failure(fault), nil)
        }
        let stamp = FileStamp(status)
        let content = Content { () throws(Fault) in try entries(bytes) }
        let isConclusive = abs(stamp.age(at: Date().timeIntervalSince1970)) > FileStamp.resolution
        return (content, isConclusive ? stamp : nil)
    }

    /// Returns whether the file still has a stamp.
    func has(_ stamp: FileStamp) -> Bool {
        (try? FileStatus(path: path)).map(FileStamp.init) == stamp
    }

    /// The fault of a file that is not a regular file, is too large, or is writable for every user.
    private func fault(of status: FileStatus) -> Fault? {
        guard status.kind == .regular else {
            return Fault(isUnreadable: true, advice: "\(path) is not a regular file")
        }
        guard status.permissions & 0o002 == 0 else {
            return Fault(
                isUnreadable: true,
                isExposed: true,
                advice: Advice("every user can write \(path)", "run: chmod go-w \(ShellWord.quoted(path))")
            )
        }
        guard status.size <= Self.maximumSize else {
            return Fault(isUnreadable: true, advice: "\(path) is larger than \(Self.maximumSize) bytes")
        }
        return nil
    }

    private func entries(_ bytes: [UInt8]) throws(Fault) -> Set<MemberPattern> {
        // Editors of Windows begin a text with a byte order mark.
        let bytes = bytes.starts(with: "\u{FEFF}".utf8) ? bytes.dropFirst(3) : bytes[...]
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Fault(isUnreadable: false, advice: "\(path) is not UTF-8 text")
        }
        var members: Set<MemberPattern> = []
        var wrong: [String] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let entry = line.prefix { $0 != "#" }.trimmingBlanks
            guard !entry.isEmpty else { continue }
            let equals = entry.firstIndex(of: "=") ?? entry.endIndex
            let (kind, value) = (entry[..<equals].trimmingBlanks, entry[equals...].dropFirst().trimmingBlanks)
            do throws(MemberPattern.Invalid) {
                members.insert(try MemberPattern(kind: kind, value: value, of: provider))
            } catch {
                wrong.append("line \(index + 1): \(error)")
            }
        }
        guard wrong.isEmpty else { throw Fault(isUnreadable: false, advice: "\(path) \(Self.summary(wrong))") }
        return members
    }

    /// The first wrong lines, and how many more there are.
    private static func summary(_ wrong: [String]) -> String {
        let shown = 5
        let rest = wrong.count > shown ? ["and \(wrong.count - shown) more lines"] : []
        return (wrong.prefix(shown) + rest).joined(separator: "; ")
    }

    /// Whether the permissions of the file let every user of the machine read it.
    var isForEverybody: Bool {
        (try? FileStatus(path: path)).map { $0.permissions & 0o004 != 0 } ?? false
    }
}
