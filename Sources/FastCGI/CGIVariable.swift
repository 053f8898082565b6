import HTTP

/// The meta-variables that are read (RFC 3875 §4.1); any other is not even copied.
enum CGIVariable {
    case method
    case scriptName
    case pathInfo
    case documentURI
    case requestURI
    case query
    case remoteAddress
    case cookie
    case header(HeaderName)
    /// One that only the server's configuration can set.
    case server

    private struct Entry {
        let name: [UInt8]
        let variable: CGIVariable
    }

    private static let serverPrefix = Array("SIGNIN_".utf8)

    /// All names, by their lengths.
    private static let table: [[Entry]] = {
        var entries: [(String, CGIVariable)] = [
            ("REQUEST_METHOD", .method), ("SCRIPT_NAME", .scriptName), ("PATH_INFO", .pathInfo),
            ("DOCUMENT_URI", .documentURI), ("REQUEST_URI", .requestURI), ("QUERY_STRING", .query),
            ("REMOTE_ADDR", .remoteAddress), ("HTTP_COOKIE", .cookie),
        ]
        for header in Request.readHeaders {
            let name = String(header.description.uppercased().map { $0 == "-" ? "_" : $0 })
            // Of all fields of a request, CGI passes this one without the prefix (RFC 3875 §4.1.3).
            entries.append((header == .contentType ? name : "HTTP_" + name, .header(header)))
        }
        var table: [[Entry]] = []
        for (name, variable) in entries {
            while table.count <= name.utf8.count { table.append([]) }
            table[name.utf8.count].append(Entry(name: Array(name.utf8), variable: variable))
        }
        return table
    }()

    /// Finds out what a name stands for; nil for one that is not read.
    init?(name: Span<UInt8>) {
        if name.count < Self.table.count {
            for entry in Self.table[name.count] where Self.isEqual(name, entry.name) {
                self = entry.variable
                return
            }
        }
        guard name.count > Self.serverPrefix.count,
            Self.isEqual(name.extracting(..<Self.serverPrefix.count), Self.serverPrefix)
        else { return nil }
        self = .server
    }

    private static func isEqual(_ name: Span<UInt8>, _ other: [UInt8]) -> Bool {
        // From the end, where names of one length differ most.
        var index = name.count
        while index > 0 {
            index -= 1
            if name[index] != other[index] { return false }
        }
        return true
    }
}
