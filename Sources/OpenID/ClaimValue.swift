/// The value of a claim as texts that a rule can compare.
package enum ClaimValue: Sendable, Equatable {
    /// One value, or the values of a list.
    case texts([String])
    /// There is no such claim, or it is null.
    case absent
    /// An object, a number that is not a whole one, or a list with anything else than text, whole numbers and truth values.
    case otherType
    /// The provider names another place for the value (OpenID Connect Core §5.6.2).
    case distributed

    /// Text stays as it is, `true` and `false` are words, and a whole number is its digits.
    init(_ json: JSON) {
        switch json {
        case .null:
            self = .absent
        case .array(let elements):
            let texts = elements.compactMap(Self.text)
            self = texts.count == elements.count ? .texts(texts) : .otherType
        case .bool, .number, .string, .object:
            self = Self.text(json).map { .texts([$0]) } ?? .otherType
        }
    }

    private static func text(_ json: JSON) -> String? {
        switch json {
        case .string(let text): text
        case .bool(let flag): flag ? "true" : "false"
        // Above 2^53, several numbers have one double.
        case .number(let number):
            number.magnitude <= 9_007_199_254_740_992 ? Int(exactly: number).map(String.init) : nil
        case .null, .array, .object: nil
        }
    }
}

extension [String: JSON] {
    /// The value of a claim.
    func value(of name: Substring) -> ClaimValue {
        if self["_claim_names"]?[String(name)] != nil { return .distributed }
        return member(name).map(ClaimValue.init) ?? .absent
    }

    /// A member by its name.
    ///
    /// A name with dots leads into nested objects. The longest beginning of the name that is a member of an object is used,
    /// so that a member whose own name has dots is found too.
    func member(_ name: Substring) -> JSON? {
        if let value = self[String(name)] { return value }
        var end = name.endIndex
        while let dot = name[..<end].lastIndex(of: ".") {
            if let value = self[String(name[..<dot])] {
                return value.objectValue?.member(name[dot...].dropFirst())
            }
            end = dot
        }
        return nil
    }
}
