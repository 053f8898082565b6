/// An ordered list of header fields that cannot carry a line break.
///
/// Both nginx and lighttpd split a CGI header block at a bare LF, so a value with one would be a second header. The
/// check stands here, at the only way in, so that no writer has to remember it (RFC 9110 §5.5).
package struct Headers: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        package let name: HeaderName
        package let value: String
    }

    package private(set) var fields: [Field] = []

    package init() {}

    /// The first value of a field, or nil.
    package subscript(name: HeaderName) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// All values of a field, in order.
    package func values(_ name: HeaderName) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// Adds a field behind those of the same name.
    ///
    /// - Throws: `InvalidHeaderValue` if the value holds CR, LF, NUL or another control character but the tab.
    package mutating func append(_ name: HeaderName, _ value: String) throws(InvalidHeaderValue) {
        guard value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x09 }) else {
            throw InvalidHeaderValue(name: name)
        }
        // At once for as many as an answer has, instead of growing and copying with each.
        if fields.isEmpty { fields.reserveCapacity(8) }
        fields.append(Field(name: name, value: value))
    }

    /// Puts a field in place of all those of the same name.
    ///
    /// - Throws: `InvalidHeaderValue`, as `append` does; the old fields then stay.
    package mutating func set(_ name: HeaderName, _ value: String) throws(InvalidHeaderValue) {
        var changed = Headers()
        changed.fields = fields.filter { $0.name != name }
        try changed.append(name, value)
        self = changed
    }

    /// Drops all fields of a name.
    package mutating func remove(_ name: HeaderName) {
        fields.removeAll { $0.name == name }
    }
}

/// A header value that would have broken out of its line; it names the field and keeps the value to itself.
package struct InvalidHeaderValue: Error, Equatable {
    package let name: HeaderName
}
