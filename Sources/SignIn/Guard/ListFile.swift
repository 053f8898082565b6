import struct Foundation.Date
import struct Foundation.FileAttributeKey
import struct Foundation.FileAttributeType
import class Foundation.FileManager
import class Foundation.NSNumber
import struct Foundation.URL

/// A file that lists members, as it lies on disk.
struct ListFile: Sendable {
    /// What changes when somebody changes the file.
    struct Stamp: Equatable {
        let modified: Date?
        let size: Int
        let node: Int
    }

    /// Why it is no list, for the operator.
    struct Fault: Error, Equatable, CustomStringConvertible {
        /// False if it was read, but not understood.
        let isUnreadable: Bool
        let description: String
    }

    static let maximumSize = 4 * 1024 * 1024

    let path: String

    /// - Throws: `Fault` if there is no regular file, it is too large, or everybody may write it.
    func stamp() throws(Fault) -> Stamp {
        guard let attributes, attributes[.type] as? FileAttributeType == .typeRegular,
            let size = attributes[.size] as? NSNumber, let mode = attributes[.posixPermissions] as? NSNumber
        else { throw Fault(isUnreadable: true, description: "\(path) is no regular file") }
        guard mode.intValue & 0o002 == 0 else {
            throw Fault(isUnreadable: true, description: "\(path) may be written by everybody; run chmod o-w on it")
        }
        guard size.intValue <= Self.maximumSize else {
            throw Fault(isUnreadable: true, description: "\(path) is larger than \(Self.maximumSize) bytes")
        }
        let node = attributes[.systemFileNumber] as? NSNumber
        return Stamp(modified: attributes[.modificationDate] as? Date, size: size.intValue, node: node?.intValue ?? 0)
    }

    /// - Throws: `Fault` if the file cannot be read, or a line of it is no entry.
    func members() throws(Fault) -> Set<MemberPattern> {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Fault(isUnreadable: true, description: "\(path) cannot be read")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw Fault(isUnreadable: false, description: "\(path) is no text")
        }
        var members: Set<MemberPattern> = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let entry = Self.trimmed(line.prefix { $0 != "#" })
            guard !entry.isEmpty else { continue }
            let equals = entry.firstIndex(of: "=") ?? entry.endIndex
            let (kind, value) = (Self.trimmed(entry[..<equals]), Self.trimmed(entry[equals...].dropFirst()))
            do throws(MemberPattern.Invalid) {
                members.insert(try MemberPattern(kind: kind, value: value))
            } catch {
                throw Fault(isUnreadable: false, description: "\(path) line \(index + 1): \(error)")
            }
        }
        return members
    }

    /// Whether every user of the machine may read it, as far as its own mode goes.
    var isForEverybody: Bool {
        (attributes?[.posixPermissions] as? NSNumber).map { $0.intValue & 0o004 != 0 } ?? false
    }

    /// Of the file behind links: attributes are otherwise those of the link, which outlives what it leads to.
    private var attributes: [FileAttributeKey: Any]? {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return try? FileManager.default.attributesOfItem(atPath: target)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var text = text.drop(while: isSpace)
        while text.last.map(isSpace) == true { text.removeLast() }
        return text
    }
}
