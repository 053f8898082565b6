import Encoding
import Sessions

import struct FoundationEssentials.Date

/// Sessions as text for the operator.
enum SessionText {
    /// The digits of an ID in the table: enough for a store with millions of sessions.
    static let shortID = 12

    /// A table with a line of titles and a line for each session.
    static func table(_ sessions: [ListedSession]) -> String {
        let titles = ["ID", "SIGNED IN (UTC)", "LAST USED (UTC)", "SUBJECT", "E-MAIL"]
        let rows = sessions.map { session in
            [
                String(session.id.description.prefix(shortID)), minute(session.created), minute(session.used),
                printable(session.identity.subject), printable(session.identity.email ?? "-"),
            ]
        }
        return table([titles] + rows)
    }

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

    /// A JSON array with a line for each session.
    static func json(_ sessions: [ListedSession]) -> String {
        sessions.isEmpty ? "[]\n" : "[\n\(sessions.map { json($0) }.joined(separator: ",\n"))\n]\n"
    }

    /// A JSON object on one line.
    static func json(_ session: ListedSession) -> String {
        let identity = session.identity
        let fields = [
            ("id", quoted(session.id.description)), ("subject", quoted(identity.uniqueSubject)),
            ("issuer", quoted(identity.issuer)), ("name", identity.name.map(quoted) ?? "null"),
            ("email", identity.email.map(quoted) ?? "null"), ("email_verified", String(identity.emailVerified)),
            ("signed_in", quoted(iso(session.created))), ("last_used", quoted(iso(session.used))),
            ("ends", quoted(iso(session.expires))),
        ]
        return object(fields)
    }

    /// A line for each value.
    static func page(_ session: ListedSession) -> String {
        let identity = session.identity
        let email = identity.email.map { "\($0) (\(identity.emailVerified ? "verified" : "not verified"))" }
        let lines = [
            ("id", session.id.description), ("subject", identity.uniqueSubject), ("issuer", identity.issuer),
            ("name", identity.name ?? "-"), ("e-mail", email ?? "-"), ("signed in", iso(session.created)),
            ("last used", iso(session.used)), ("ends", iso(session.expires)),
        ]
        return lines.map { "\($0): \(printable($1))\n" }.joined()
    }

    /// A JSON object on one line; the values are JSON.
    static func object(_ fields: [(name: String, value: String)]) -> String {
        "{" + fields.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }

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
