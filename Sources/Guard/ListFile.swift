import Encoding
import POSIX

/// A file that lists members.
struct ListFile: Sendable {
    /// Metadata that changes whenever the content of the file changes.
    struct Stamp: Equatable {
        let modified: Int64
        let size: Int
        let node: UInt64
    }

    /// The reason why a file cannot be used as a list, for the operator.
    struct Fault: Error, Equatable, CustomStringConvertible {
        /// False if the file could be read but a line is not an entry.
        let isUnreadable: Bool
        let description: String
    }

    static let maximumSize = 4 * 1024 * 1024

    let path: String

    /// - Throws: `Fault` if it is not a regular file, is too large, or is writable for every user.
    func stamp() throws(Fault) -> Stamp {
        let status: FileStatus
        do throws(SystemError) {
            status = try FileStatus(path: path)
        } catch {
            throw Fault(isUnreadable: true, description: "cannot read \(path): \(error)")
        }
        return try stamp(status)
    }

    private func stamp(_ status: FileStatus) throws(Fault) -> Stamp {
        guard status.kind == .regular else {
            throw Fault(isUnreadable: true, description: "\(path) is not a regular file")
        }
        guard status.permissions & 0o002 == 0 else {
            throw Fault(isUnreadable: true, description: "every user can write \(path); run: chmod o-w \(path)")
        }
        guard status.size <= Self.maximumSize else {
            throw Fault(isUnreadable: true, description: "\(path) is larger than \(Self.maximumSize) bytes")
        }
        return Stamp(modified: status.modified, size: status.size, node: status.node)
    }

    /// - Throws: `Fault` if the file cannot be read or used, or if a line is not an entry.
    func members() throws(Fault) -> Set<MemberPattern> {
        let bytes: [UInt8]
        let status: FileStatus
        do throws(SystemError) {
            let file = try ReadableFile(path)
            status = file.status
            bytes = try file.contents(limit: Self.maximumSize)
        } catch {
            throw Fault(isUnreadable: true, description: "cannot read \(path): \(error)")
        }
        // Check the file that was read: the path may lead to another file by now.
        _ = try stamp(status)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Fault(isUnreadable: false, description: "\(path) is not UTF-8 text")
        }
        var members: Set<MemberPattern> = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let entry = line.prefix { $0 != "#" }.trimmingBlanks
            guard !entry.isEmpty else { continue }
            let equals = entry.firstIndex(of: "=") ?? entry.endIndex
            let (kind, value) = (entry[..<equals].trimmingBlanks, entry[equals...].dropFirst().trimmingBlanks)
            do throws(MemberPattern.Invalid) {
                members.insert(try MemberPattern(kind: kind, value: value))
            } catch {
                throw Fault(isUnreadable: false, description: "\(path) line \(index + 1): \(error)")
            }
        }
        return members
    }

    /// Whether the permissions of the file let every user of the machine read it.
    var isForEverybody: Bool {
        (try? FileStatus(path: path)).map { $0.permissions & 0o004 != 0 } ?? false
    }
}
