/// The cookies of a request; each look-up parses the `Cookie` fields (RFC 6265bis §5.8.3).
///
/// It accepts any text, because a browser sends cookies of other programs in any form. A pair without `=` has an empty
/// name and the whole text as its value, as browsers store it. White space around name and value is removed; quotes
/// stay. Names and values are compared byte by byte.
package struct Cookies: Sendable, Equatable {
    package enum Lookup: Sendable, Equatable {
        case none
        case one(String)
        /// Two different values with one name: one of them may be an attacker's, and it is unknown which.
        case conflicting
    }

    private let lines: [String]

    /// - Parameter lines: The values of all `Cookie` fields; nginx before 1.23 passes several.
    package init(_ lines: [String] = []) {
        self.lines = lines
    }

    /// Whether the request had no cookie.
    package var isEmpty: Bool { lines.allSatisfy(\.isEmpty) }

    /// The value of a cookie, or whether it has several different ones.
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

    /// All pairs except those whose names begin with a prefix, as one `Cookie` field; nil if none is left.
    package func line(withoutPrefix prefix: String) -> String? {
        var pairs: [String] = []
        for line in lines {
            var scanner = CookieScanner()
            while let pair = scanner.next(in: line.utf8Span.span) {
                guard !line.utf8Span.span.extracting(pair.name).starts(with: prefix.utf8Span.span) else { continue }
                let name = line[bytes: pair.name]
                let value = line[bytes: pair.value]
                // A cookie without a name needs its `=` if the value contains another `=`.
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

    /// Deletes cookies, as far as the request has them.
    ///
    /// - Parameter names: The names without the prefix.
    /// - Returns: One field for each name that the request has, in the order of the names.
    package func deletions(_ names: String...) -> [SetCookie] {
        names.filter { self[SetCookie.prefix + $0] != .none }.map(SetCookie.deleting)
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

/// Iterates over the pairs of one `Cookie` field without copying them.
private struct CookieScanner {
    private var position = 0

    /// Finds the next pair.
    ///
    /// - Parameter line: The value of the field, the same at every call.
    /// - Returns: The ranges of name and value, or nil at the end.
    mutating func next(in line: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>)? {
        while position < line.count {
            let pair = piece(of: line)
            // Ignores empty pieces between two semicolons and after the last.
            if !pair.name.isEmpty || !pair.value.isEmpty { return pair }
        }
        return nil
    }

    private mutating func piece(of line: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>) {
        let start = position
        var end = start
        while end < line.count, line[end] != UInt8(ascii: "="), line[end] != UInt8(ascii: ";") { end += 1 }
        let equals = end
        while end < line.count, line[end] != UInt8(ascii: ";") { end += 1 }
        position = end + 1
        guard equals < end else { return (start..<start, Self.trim(start..<end, in: line)) }
        return (Self.trim(start..<equals, in: line), Self.trim(equals + 1..<end, in: line))
    }

    private static func trim(_ range: Range<Int>, in line: Span<UInt8>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, isSpace(line[start]) { start += 1 }
        while end > start, isSpace(line[end - 1]) { end -= 1 }
        return start..<end
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}

/// A `Set-Cookie` field in the only form that this program sends: `__Host-`, Secure, HttpOnly, Path=/, SameSite=Lax.
///
/// No setting weakens it (RFC 6265bis §4.1.3.2). SameSite is Lax and not Strict, because the redirect back from the
/// provider is a cross-site navigation.
package struct SetCookie: Sendable, Equatable {
    /// The prefix of all names (RFC 6265bis §4.1.3.2).
    package static let prefix = "__Host-"

    package let name: String
    package let value: String
    /// The lifetime in seconds; nil until the browser is closed, 0 deletes the cookie.
    package let maxAge: Int?

    /// Makes a cookie.
    ///
    /// Characters that are not allowed (RFC 6265bis §4.1.1) are percent-encoded, so that no value can become an attribute.
    ///
    /// - Parameters:
    ///   - name: The name without the prefix.
    ///   - value: Any text.
    ///   - maxAge: The lifetime in seconds; nil until the browser is closed.
    package init(_ name: String, value: String, maxAge: Int? = nil) {
        self.name = Self.prefix + Percent.encode(name, keeping: HeaderName.isTokenByte)
        self.value = Percent.encode(value, keeping: Self.isCookieOctet)
        self.maxAge = maxAge
    }

    /// Deletes a cookie; the field repeats every attribute.
    package static func deleting(_ name: String) -> SetCookie {
        SetCookie(name, value: "", maxAge: 0)
    }

    /// The value of the field.
    package var headerValue: String {
        let lifetime = maxAge.map { "; Max-Age=\($0)" } ?? ""
        return "\(name)=\(value)\(lifetime); Path=/; Secure; HttpOnly; SameSite=Lax"
    }

    private static func isCookieOctet(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\\"): false
        default: (0x21...0x7e).contains(byte)
        }
    }
}
