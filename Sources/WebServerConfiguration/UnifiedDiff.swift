/// The difference between two versions of a file, as `diff -u` prints it.
package struct UnifiedDiff: Sendable {
    private enum Kind: String {
        case same = " "
        case removed = "-"
        case added = "+"
    }
    private typealias Line = (kind: Kind, text: String)

    /// The number of unchanged lines that are shown before and after a change.
    private static let context = 3

    /// The difference as text; empty if there is none.
    package let text: String

    /// Compares two versions.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - old: The present content; nil if the file does not exist.
    ///   - new: The new content.
    package init(path: String, old: String?, new: String) {
        let lines = Self.lines(from: Self.split(old ?? ""), to: Self.split(new))
        let hunks = Self.hunks(lines)
        let head = ["--- \(old == nil ? "/dev/null" : path)", "+++ \(path)"]
        text = hunks.isEmpty ? "" : (head + hunks).joined(separator: "\n") + "\n"
    }

    /// Splits content into lines; marks a last line without a line break as `diff` does.
    private static func split(_ content: String) -> [String] {
        var lines = content.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let last = lines.removeLast()
        return last.isEmpty ? lines : lines + [last + "\n\\ No newline at end of file"]
    }

    private static func lines(from old: [String], to new: [String]) -> [Line] {
        let difference = new.difference(from: old)
        let removed = Set(difference.removals.map(offset))
        let added = Set(difference.insertions.map(offset))
        var lines: [Line] = []
        var (from, to) = (0, 0)
        while from < old.count || to < new.count {
            if removed.contains(from) {
                lines.append((.removed, old[from]))
                from += 1
            } else if added.contains(to) {
                lines.append((.added, new[to]))
                to += 1
            } else {
                lines.append((.same, old[from]))
                (from, to) = (from + 1, to + 1)
            }
        }
        return lines
    }

    private static func offset(_ change: CollectionDifference<String>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }

    private static func hunks(_ lines: [Line]) -> [String] {
        let changed = lines.indices.filter { lines[$0].kind != .same }
        var ranges: [Range<Int>] = []
        for index in changed {
            let range = max(0, index - context)..<min(lines.count, index + context + 1)
            if let last = ranges.last, last.upperBound >= range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
        return ranges.map { range in
            let body = lines[range].map { $0.kind.rawValue + $0.text }
            return ([heading(lines, range)] + body).joined(separator: "\n")
        }
    }

    private static func heading(_ lines: [Line], _ range: Range<Int>) -> String {
        func place(_ other: Kind) -> String {
            let before = lines[..<range.lowerBound].count { $0.kind != other }
            let count = lines[range].count { $0.kind != other }
            return "\(count == 0 ? before : before + 1),\(count)"
        }
        return "@@ -\(place(.added)) +\(place(.removed)) @@"
    }
}
