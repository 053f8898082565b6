import CPostgreSQL
import Glibc

/// The address of the database: a connection string of libpq, checked and split into hosts.
///
/// The loop tries the hosts one after the other itself, because libpq has no time limit for this when it must not
/// block.
package struct DatabaseTarget: Sendable, CustomStringConvertible, CustomReflectable {
    struct Host: Sendable {
        /// Nil for libpq's default, a Unix socket.
        var name: String?
        var address: String?
        var port: String?

        /// The name that has to be looked up; nil for a socket, and for an address in place of a name.
        var unresolvedName: String? {
            guard address == nil, let name, !name.isEmpty, !name.hasPrefix("/"), !name.hasPrefix("@") else {
                return nil
            }
            let isAddress = name.contains(":") || name.utf8.allSatisfy { 48...57 ~= $0 || $0 == UInt8(ascii: ".") }
            return isAddress ? nil : name
        }
    }

    let text: String
    let password: String?
    let hosts: [Host]
    /// Seconds that the string allows for connecting; nil if it does not say.
    let connectTimeout: Int?
    /// The database's name, for messages.
    let database: String?

    /// Reads a connection string; nil if libpq does not understand it.
    ///
    /// - Parameters:
    ///   - text: `postgresql://…` or `keyword=value …` (libpq, "Connection Strings").
    ///   - password: takes the place of one in the text.
    package init?(_ text: String, password: String? = nil) {
        guard let values = Self.parse(text) else { return nil }
        func list(_ keyword: String) -> [String] {
            values[keyword].map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
        }
        let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        let count = max(1, names.count, addresses.count)
        guard [0, count].contains(names.count), [0, count].contains(addresses.count),
            [0, 1, count].contains(ports.count)
        else { return nil }
        hosts = (0..<count).map { index in
            Host(
                name: names.isEmpty ? nil : names[index],
                address: addresses.isEmpty ? nil : addresses[index],
                port: ports.isEmpty ? nil : Self.port(ports[ports.count == 1 ? 0 : index])
            )
        }
        self.text = text
        self.password = password
        connectTimeout = values["connect_timeout"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
        database = values["dbname"]
    }

    package var description: String {
        let names = hosts.map { $0.name ?? $0.address ?? "the default socket" }
        return "database \(database ?? "of the user's name") on \(names.joined(separator: ", "))"
    }

    package var customMirror: Mirror { Mirror(self, children: []) }

    /// In an address of several hosts without ports, each port is empty and means the default port.
    private static func port(_ text: String) -> String { text.isEmpty ? "5432" : text }

    /// The values that a string sets; nil if it is not a connection string.
    private static func parse(_ text: String) -> [String: String]? {
        // unsafe because libpq returns an array that it allocated; it is read up to its end, copied, and freed. libpq's
        // own words for a fault are not asked for: they can repeat a part of the password.
        guard let options = unsafe PQconninfoParse(text, nil) else { return nil }
        defer { unsafe PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                values[unsafe String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe option += 1
        }
        return values
    }
}
