/// The members of a JSON object in writing order.
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

    /// The first member of a name; setting nil removes it, setting a new name appends it.
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
