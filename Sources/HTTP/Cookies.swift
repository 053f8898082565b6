/// The cookies of a request, read from its `Cookie` fields when asked (RFC 6265bis §5.8.3).
///
/// Nothing is rejected: a browser may send cookies of other programs in any shape. A piece without `=` has an empty
/// name and the piece as value, as browsers store it; white space around name and value is dropped; quotes stay.
/// Names and values are compared byte by byte.
package struct Cookies: Sendable, Equatable {
    package enum Lookup: Sendable, Equatable {
        case none
        case one(String)
        /// Two different values under one name: somebody planted one, and nothing tells which.
        case conflicting
    }

    private let lines: [String]

    /// - Parameter lines: the values of all `Cookie` fields; servers before nginx 1.23 pass several.
    package init(_ lines: [String] = []) {
        self.lines = lines
    }

    /// Whether the request had no cookie at all.
    package var isEmpty: Bool { lines.allSatisfy(\.isEmpty) }

    /// The value under a name, told apart from several different ones.
    package subscript(name: String) -> Lookup {
        var found: String?
        for line in lines {
            var scanner = CookieScanner()
            while let pair = scanner.next(in: line.utf8Span.span) {
                guard line.utf8Span.span.extracting(pair.name).isEqual(to: name.utf8Span.span) else { continue }
                guard let found else {
                    found = line[bytes: pair.value]
                    continue
                }
                guard line.utf8Span.span.extracting(pair.value).isEqual(to: found.utf8Span.span) else {
                    return .conflicting
                }
            }
        }
        return found.map(Lookup.one) ?? .none
    }

    /// All pairs but those whose names begin with a prefix, as one `Cookie` field; nil if none is left.
    package func line(withoutPrefix prefix: String) -> String? {
        var pairs: [String] = []
        for line in lines {
            var scanner = CookieScanner()
            while let pair = scanner.next(in: line.utf8Span.span) {
                guard !line.utf8Span.span.extracting(pair.name).starts(with: prefix.utf8Span.span) else { continue }
                let name = line[bytes: pair.name]
                let value = line[bytes: pair.value]
                // A nameless cookie may do without its `=` only if no other `=` would then be taken for it.
                pairs.append(name.isEmpty && !value.utf8.contains(UInt8(ascii: "=")) ? value : "\(name)=\(value)")
            }
        }
        return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
    }

    /// The names that begin with a prefix, each once, in the order sent.
    package func names(withPrefix prefix: String) -> [String] {
        var names: [String] = []
        var known: Set<String> = []
        for line in lines {
            var scanner = CookieScanner()
            while let pair = scanner.next(in: line.utf8Span.span) {
                guard line.utf8Span.span.extracting(pair.name).starts(with: prefix.utf8Span.span) else { continue }
                let name = line[bytes: pair.name]
                if known.insert(name).inserted { names.append(name) }
            }
        }
        return names
    }
}

extension String {
    fileprivate subscript(bytes range: Range<Int>) -> String {
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        return String(self[start..<utf8.index(start, offsetBy: range.count)])
    }
}

extension Span<UInt8> {
    fileprivate func starts(with prefix: Span<UInt8>) -> Bool {
        extracting(first: prefix.count).isEqual(to: prefix)
    }

    fileprivate func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}
