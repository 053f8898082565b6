import Sessions

/// The form of the page that sends a kept form: one field, posted as text/plain to the address of the kept one.
///
/// That type tells it from the forms of applications without a look at the body, which nginx's `auth_request` does not
/// pass: they are urlencoded or multipart, and take their usual way.
struct ResumeForm: Equatable {
    static let contentType = "text/plain"
    static let field = "linkedin-signin-form"

    /// Which cookie holds the ticket.
    let label: String
    /// What proves that the form was on a page made for that ticket.
    let token: String

    init(_ ticket: Ticket) {
        label = ticket.formLabel
        token = ticket.formToken
    }

    /// Reads a body, as browsers write a text/plain form of one field (HTML §4.10.21.8); nil for any other.
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

    /// Whether a text can be a label: 8 characters of base64url.
    static func isLabel(_ text: String) -> Bool {
        text.utf8.count == 8
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
