import OpenID
import Provider
import Sessions

import struct FoundationEssentials.Date

/// The profile of a member as `/profile` returns it in JSON.
///
/// Each value is copied as the text that the session has: decoding and encoding the values would take longer than the rest of
/// the request.
enum ProfileAnswer {
    /// The members of the response from the provider, in the order of the text.
    private static let names = ["email", "locale", "name", "picture", "profile_url", "subject"]

    /// Writes the text; absent values are null, so that every response has the same members.
    ///
    /// - Throws: `OpenIDError` if the session has something else than a profile.
    static func text(of cached: CachedProfile, now: Date) throws(OpenIDError) -> [UInt8] {
        guard let stored = FlatObject(cached.content) else { throw OpenIDError(.resourceMalformed) }
        var text = Array(#"{"age":"#.utf8)
        text.reserveCapacity(cached.content.count + 96)
        text += String(cached.age(at: now)).utf8
        for name in names {
            text += #",""#.utf8
            text += name.utf8
            text += #"":"#.utf8
            let isExpired = name == "picture" && hasExpired(stored["picture_expires"], at: now)
            if !isExpired, let value = stored[name] { text += value } else { text += "null".utf8 }
        }
        text.append(UInt8(ascii: "}"))
        return text
    }

    private static func hasExpired(_ end: ArraySlice<UInt8>?, at now: Date) -> Bool {
        guard let end = end.flatMap({ Int(String(decoding: $0, as: UTF8.self)) }) else { return false }
        return now.timeIntervalSince1970 >= Double(end)
    }
}

/// The members of a JSON object whose values are texts, numbers and null, without white space between them: the form in which
/// this program stores profiles.
private struct FlatObject {
    private var members: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []

    /// Nil for a text of another form.
    init?(_ text: [UInt8]) {
        guard text.first == UInt8(ascii: "{"), text.last == UInt8(ascii: "}"), text.count > 1 else { return nil }
        members.reserveCapacity(8)
        var rest = text[1..<text.count - 1]
        while !rest.isEmpty {
            guard let name = Self.takeString(from: &rest), rest.popFirst() == UInt8(ascii: ":"),
                let value = Self.takeValue(from: &rest), rest.isEmpty || rest.popFirst() == UInt8(ascii: ",")
            else { return nil }
            members.append((name.dropFirst().dropLast(), value))
        }
    }

    /// The text of a value; nil if there is none.
    subscript(name: String) -> ArraySlice<UInt8>? {
        members.first { $0.name.elementsEqual(name.utf8) }?.value
    }

    private static func takeValue(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        switch rest.first {
        case UInt8(ascii: "\""): return takeString(from: &rest)
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ","), nil: return nil
        default:
            let value = rest.prefix { $0 != UInt8(ascii: ",") }
            rest = rest[value.endIndex...]
            return value
        }
    }

    /// Takes a string with its quotation marks.
    private static func takeString(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard rest.first == UInt8(ascii: "\"") else { return nil }
        var position = rest.startIndex + 1
        while position < rest.endIndex, rest[position] != UInt8(ascii: "\"") {
            position += rest[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard position < rest.endIndex else { return nil }
        defer { rest = rest[(position + 1)...] }
        return rest[...position]
    }
}
