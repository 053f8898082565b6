/// The cookies of a request, read from its `Cookie` fields when asked (RFC 6265bis §5.8.3).
///
/// Nothing is rejected: a browser may send cookies of other programs in any shape. A piece without `=` has an empty
/// name and the piece as value, as browsers store it; white space around name and value is dropped; quotes stay.
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

    /// The value under a name, told apart from several different ones.
    package subscript(name: String) -> Lookup {
        var found: Lookup = .none
        for line in lines {
            for pair in Pairs(line: line.utf8[...]) where pair.name.elementsEqual(name.utf8) {
                switch found {
                case .none: found = .one(String(Substring(pair.value)))
                // By their bytes: strings are equal that differ in how a letter is composed.
                case .one(let value) where value.utf8.elementsEqual(pair.value): break
                default: return .conflicting
                }
            }
        }
        return found
    }

    /// The names that begin with a prefix, each once, in the order sent.
    package func names(withPrefix prefix: String) -> [String] {
        var names: [String] = []
        for line in lines {
            for pair in Pairs(line: line.utf8[...]) where pair.name.starts(with: prefix.utf8) {
                let name = String(Substring(pair.name))
                if !names.contains(name) { names.append(name) }
            }
        }
        return names
    }
}

extension Cookies {
    private struct Pairs: Sequence, IteratorProtocol {
        typealias Bytes = Substring.UTF8View
        private var rest: Bytes?

        init(line: Bytes) {
            rest = line
        }

        mutating func next() -> (name: Bytes, value: Bytes)? {
            guard let line = rest else { return nil }
            let piece: Bytes
            if let end = line.firstIndex(of: UInt8(ascii: ";")) {
                piece = line[..<end]
                rest = line[line.index(after: end)...]
            } else {
                piece = line
                rest = nil
            }
            guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else {
                return (piece.prefix(0), trim(piece))
            }
            return (trim(piece[..<equals]), trim(piece[piece.index(after: equals)...]))
        }

        private func trim(_ bytes: Bytes) -> Bytes {
            let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
            var trimmed = bytes.drop(while: isSpace)
            while let last = trimmed.last, isSpace(last) { trimmed = trimmed.dropLast() }
            return trimmed
        }
    }
}
