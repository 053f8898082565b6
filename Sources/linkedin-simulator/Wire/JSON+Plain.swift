extension JSON {
    /// A text as it is, and anything else as JSON text.
    var plain: String {
        if case .string(let text) = self { text } else { text }
    }

    /// The plain forms of an array's elements, or the one of anything else.
    var plainList: [String] {
        if case .array(let values) = self { values.map(\.plain) } else { [plain] }
    }
}
