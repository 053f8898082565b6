import Encoding
import Sessions

/// The confirmation that the page of a kept form sends: one field, posted as text/plain to the address of that form.
///
/// The media type distinguishes it from forms of the application, which are urlencoded or multipart. The body cannot,
/// because nginx's `auth_request` does not pass bodies.
struct KeptFormConfirmation: Equatable {
    static let contentType = "text/plain"
    static let field = "linkedin-signin-form"

    /// The label in the name of the cookie that contains the ticket.
    let label: String
    /// Proves that this program made the page for that ticket.
    let token: String

    init(_ ticket: Ticket) {
        label = ticket.formLabel
        token = ticket.formToken
    }

    /// Parses a text/plain form of one field as browsers write it (HTML §4.10.21.8); nil for any other body.
    init?(body: [UInt8]) {
        guard body.count < 256, let text = String(validating: body, as: UTF8.self),
            text.hasPrefix(Self.field + "="), text.hasSuffix("\r\n")
        else { return nil }
        let value = text.utf8.dropFirst(Self.field.utf8.count + 1).dropLast(2)
        let parts = value.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(String.init(_:))
        guard parts.count == 2, let label = parts[0], let token = parts[1], Self.isLabel(label) else { return nil }
        self.label = label
        self.token = token
    }

    var value: String { "\(label).\(token)" }

    /// Returns whether a text has the format of a label: 8 characters of base64url.
    static func isLabel(_ text: String) -> Bool {
        text.utf8.count == 8
            && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }
}
