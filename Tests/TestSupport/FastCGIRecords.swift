/// Creates records as a web server sends them (FastCGI 1.0 §3.3), independently of the code under test.
package enum FastCGIRecords {
    package static func record(
        _ kind: UInt8,
        _ content: [UInt8] = [],
        id: UInt16 = 1,
        padding: UInt8 = 0,
        version: UInt8 = 1
    ) -> [UInt8] {
        let length = UInt16(content.count)
        let header: [UInt8] = [
            version, kind, UInt8(id >> 8), UInt8(id & 0xff), UInt8(length >> 8), UInt8(length & 0xff), padding, 0,
        ]
        return header + content + [UInt8](repeating: 0, count: Int(padding))
    }

    package static func begin(role: UInt16 = 1, keep: Bool = false, id: UInt16 = 1) -> [UInt8] {
        record(1, [UInt8(role >> 8), UInt8(role & 0xff), keep ? 1 : 0, 0, 0, 0, 0, 0], id: id)
    }

    /// The content of a parameter stream.
    package static func pairs(_ parameters: [(String, String)]) -> [UInt8] {
        parameters.flatMap { name, value in
            length(name.utf8.count) + length(value.utf8.count) + Array(name.utf8) + Array(value.utf8)
        }
    }

    package static func length(_ length: Int) -> [UInt8] {
        guard length > 127 else { return [UInt8(length)] }
        return [24, 16, 8, 0].map { UInt8(length >> $0 & 0xff) | ($0 == 24 ? 0x80 : 0) }
    }

    /// A complete stream: its content in records of at most this many bytes, and the empty record that ends it.
    package static func stream(_ kind: UInt8, _ content: [UInt8], id: UInt16 = 1, size: Int = 60_000) -> [UInt8] {
        var records: [UInt8] = []
        for start in stride(from: 0, to: content.count, by: size) {
            records += record(kind, Array(content[start..<min(start + size, content.count)]), id: id)
        }
        return records + record(kind, id: id)
    }

    /// A complete request.
    package static func request(
        _ parameters: [(String, String)] = [("REQUEST_METHOD", "GET"), ("SCRIPT_NAME", "/")],
        body: [UInt8] = [],
        role: UInt16 = 1,
        keep: Bool = false,
        id: UInt16 = 1
    ) -> [UInt8] {
        begin(role: role, keep: keep, id: id) + stream(4, pairs(parameters), id: id) + stream(5, body, id: id)
    }

    /// A complete request for a path.
    package static func request(
        _ method: String = "GET",
        path: String,
        body: [UInt8] = [],
        role: UInt16 = 1,
        keep: Bool = false,
        id: UInt16 = 1
    ) -> [UInt8] {
        let parameters = [("REQUEST_METHOD", method), ("SCRIPT_NAME", path)]
        return request(parameters, body: body, role: role, keep: keep, id: id)
    }
}
