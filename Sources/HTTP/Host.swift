/// Hosts of URLs.
package enum Host {
    /// Whether a host is always this machine: `localhost`, `::1` or an address in 127.0.0.0/8 (RFC 6761 §6.3).
    ///
    /// - Parameter host: A name or an address; an IPv6 address with or without brackets.
    /// - Returns: True only for the usual spellings, such as four decimal numbers for an IPv4 address.
    package static func isLoopback(_ host: String) -> Bool {
        if host == "[::1]" || host == "::1" || host.lowercased() == "localhost" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }
}
