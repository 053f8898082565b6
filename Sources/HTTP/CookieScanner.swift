/// Walks over the pairs of one `Cookie` field without copying any.
struct CookieScanner {
    private var position = 0

    /// Finds the next pair.
    ///
    /// - Parameter line: the field's value, the same at every call.
    /// - Returns: the places of name and value, or nil at the end.
    mutating func next(in line: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>)? {
        while position < line.count {
            let pair = piece(of: line)
            // Without name and value there is no cookie, be it between two semicolons or behind the last.
            if !pair.name.isEmpty || !pair.value.isEmpty { return pair }
        }
        return nil
    }

    private mutating func piece(of line: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>) {
        let start = position
        var end = start
        var equals: Int?
        while end < line.count, line[end] != UInt8(ascii: ";") {
            if equals == nil, line[end] == UInt8(ascii: "=") { equals = end }
            end += 1
        }
        position = end + 1
        guard let equals else { return (start..<start, Self.trim(start..<end, in: line)) }
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
