import Encoding
import Sessions

import struct FoundationEssentials.Date

/// The forms in which an operator sees what is stored.
enum SessionText {
    /// The digits of an ID in the table: enough for a store with millions of sessions.
    static let shortID = 12

    /// A table with aligned columns.
    static func table(_ rows: [[String]]) -> String {
        var widths = rows.first?.map(\.count) ?? []
        for row in rows {
            for column in row.indices { widths[column] = max(widths[column], row[column].count) }
        }
        var text = ""
        for row in rows {
            for column in row.indices {
                text += row[column]
                let isLast = column == row.count - 1
                text += isLast ? "\n" : String(repeating: " ", count: widths[column] - row[column].count + 2)
            }
        }
        return text
    }

    /// A JSON object on one line; the values are JSON.
    static func object(_ fields: [(name: String, value: String)]) -> String {
        "{" + fields.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// A date as a JSON string.
    static func time(_ date: Date) -> String { quoted(iso(date)) }

    static func iso(_ date: Date) -> String { date.formatted(.iso8601) }

    static func minute(_ date: Date) -> String {
        String(iso(date).prefix(16)).replacing("T", with: " ")
    }

    /// Text without the characters with which a member's name could change a terminal or hide itself.
    static func printable(_ text: String) -> String {
        PrintableText.of(text)
    }

    /// A JSON string (RFC 8259 §7), with everything escaped that is not printable.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case " "..."~": result.unicodeScalars.append(scalar)
            case _ where scalar.isASCII: result += escape(UInt16(scalar.value))
            default:
                guard printable(String(scalar)) == String(scalar) else {
                    for unit in String(scalar).utf16 { result += escape(unit) }
                    continue
                }
                result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

/// A session or a personal token, in a list or alone.
protocol Listed {
    associatedtype ID: Comparable, CustomStringConvertible

    /// What one of them is called.
    static var noun: String { get }
    /// The titles of the table.
    static var titles: [String] { get }
    var id: ID { get }
    /// When it was made.
    var created: Date { get }
    /// A line of the table.
    var cells: [String] { get }
    /// The JSON object; the values are JSON.
    var members: [(name: String, value: String)] { get }
    /// The lines that show only this one.
    var lines: [(name: String, value: String)] { get }
}

extension Listed {
    /// Prints all values, as lines or as a JSON object.
    func show(json: Bool) {
        let page = lines.map { "\($0.name): \(SessionText.printable($0.value))" }
        print(json ? SessionText.object(members) : page.joined(separator: "\n"))
    }
}

extension Array where Element: Listed {
    /// Prints a line for each element, as a table or as a JSON array.
    func show(json: Bool) {
        if json {
            let objects = map { SessionText.object($0.members) }
            print(isEmpty ? "[]" : "[\n\(objects.joined(separator: ",\n"))\n]")
        } else if isEmpty {
            Console.tell("no \(Element.noun)s")
        } else {
            print(SessionText.table([Element.titles] + map(\.cells)), terminator: "")
        }
    }
}

extension Sequence where Element: Listed {
    var newestFirst: [Element] {
        sorted { $0.created != $1.created ? $0.created > $1.created : $0.id < $1.id }
    }

    /// The element whose ID begins with these digits.
    ///
    /// - Throws: `StartFailure` if there is none or more than one.
    func only(_ prefix: SessionIDPrefix) throws(StartFailure) -> Element {
        let (found, digits) = (filter { $0.id.description.hasPrefix(prefix.digits) }, prefix.digits)
        if let element = found.first, found.count == 1 { return element }
        let message =
            found.isEmpty
            ? "no \(Element.noun) has the ID \(digits)"
            : "\(found.count) \(Element.noun)s have IDs that begin with \(digits); write more digits"
        throw .badInput(message)
    }
}

extension ListedSession: Listed {
    static let noun = "session"
    static let titles = ["ID", "SIGNED IN (UTC)", "LAST USED (UTC)", "SUBJECT", "E-MAIL"]

    var cells: [String] {
        [
            String(id.description.prefix(SessionText.shortID)), SessionText.minute(created), SessionText.minute(used),
            SessionText.printable(identity.uniqueSubject), SessionText.printable(identity.email ?? "-"),
        ]
    }

    var members: [(name: String, value: String)] {
        [
            ("id", SessionText.quoted(id.description)), ("subject", SessionText.quoted(identity.uniqueSubject)),
            ("issuer", SessionText.quoted(identity.issuer)), ("name", identity.name.map(SessionText.quoted) ?? "null"),
            ("email", identity.email.map(SessionText.quoted) ?? "null"),
            ("email_verified", String(identity.emailVerified)), ("signed_in", SessionText.time(created)),
            ("last_used", SessionText.time(used)), ("ends", SessionText.time(expires)),
        ]
    }

    var lines: [(name: String, value: String)] {
        let email = identity.email.map { "\($0) (\(identity.emailVerified ? "verified" : "not verified"))" }
        return [
            ("id", id.description), ("subject", identity.uniqueSubject), ("issuer", identity.issuer),
            ("name", identity.name ?? "-"), ("e-mail", email ?? "-"), ("signed in", SessionText.iso(created)),
            ("last used", SessionText.iso(used)), ("ends", SessionText.iso(expires)),
        ]
    }
}
