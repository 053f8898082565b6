/// A JSON value that keeps the order of members, so that answers look exactly like LinkedIn's.
enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case int(Int)
    case number(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)
    /// Arrays nested this deep; written without recursion.
    case nested(Int)

    /// The value as compact JSON text (RFC 8259).
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .number(let value): String(value)
        case .string(let value): Self.quoted(value)
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let value): value.text
        case .nested(let depth): String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
    }

    static func quoted(_ value: String) -> String {
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .int(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }
}

extension JSON {
    /// The text of a string; nil for any other value.
    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// An integer, also as the text of a form; nil for any other value.
    var integer: Int? {
        if case .int(let number) = self { number } else { string.flatMap { Int($0) } }
    }

    /// The text of a string; the JSON text of any other value.
    var plain: String { string ?? text }

    /// The plain texts of an array's elements; for any other value, its own.
    var plainList: [String] {
        if case .array(let values) = self { values.map(\.plain) } else { [plain] }
    }
}

/// The members of a JSON object, in order.
struct JSONObject: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    struct Member: Sendable, Equatable {
        let name: String
        var value: JSON
    }

    var members: [Member]

    init(_ pairs: [(String, JSON)]) {
        members = pairs.map { Member(name: $0.0, value: $0.1) }
    }

    init(dictionaryLiteral elements: (String, JSON)...) {
        self.init(elements)
    }

    /// The first member with a name; setting nil removes it, and a new name is appended.
    subscript(name: String) -> JSON? {
        get { members.first { $0.name == name }?.value }
        set {
            guard let newValue else { return members.removeAll { $0.name == name } }
            if let index = members.firstIndex(where: { $0.name == name }) {
                members[index].value = newValue
            } else {
                members.append(Member(name: name, value: newValue))
            }
        }
    }

    var text: String {
        "{" + members.map { JSON.quoted($0.name) + ":" + $0.value.text }.joined(separator: ",") + "}"
    }
}

extension JSON: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Name.self) {
            self = .object(
                JSONObject(
                    try members.allKeys.map { ($0.stringValue, try members.decode(JSON.self, forKey: $0)) }
                )
            )
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let int = try? value.decode(Int.self) {
            self = .int(int)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else {
            self = .array(try value.decode([JSON].self))
        }
    }
}
