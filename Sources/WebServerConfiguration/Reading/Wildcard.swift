/// Patterns for file names with `*` and `?`, as in `include` of nginx.
package enum Wildcard {
    static func matches(_ pattern: some StringProtocol, _ name: String) -> Bool {
        let pattern = Array(pattern.utf8)
        let name = Array(name.utf8)
        var (at, place) = (0, 0)
        // Where to retry if the text after the last asterisk does not match.
        var retry: (pattern: Int, name: Int)?
        while place < name.count {
            if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
                at += 1
                retry = (at, place)
            } else if at < pattern.count, pattern[at] == name[place] || isAny(pattern[at], name[place]) {
                at += 1
                place += 1
            } else if let (again, start) = retry, name[start] != UInt8(ascii: "/") {
                (at, place) = (again, start + 1)
                retry = (again, start + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    private static func isAny(_ pattern: UInt8, _ byte: UInt8) -> Bool {
        pattern == UInt8(ascii: "?") && byte != UInt8(ascii: "/")
    }
}
