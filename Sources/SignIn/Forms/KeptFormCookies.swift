import HTTP
import Sessions
import Settings

import struct FoundationEssentials.Date

/// The cookies of a browser's kept forms; each contains the sealed ticket that opens one form.
struct KeptFormCookies {
    /// The prefix of their names.
    static let prefix = "__Host-resume-"
    private static let purpose = "resume"
    private static let maximumCount = 4
    /// The value after the form was sent, so that a reload of the answer does not reach the application.
    private static let sent = "sent"
    /// The value if the form will never be sent, so that a page that is still open does not reach the application.
    private static let gone = "gone"

    enum Found {
        case none
        case sent
        case kept(Ticket)
    }

    private struct Entry {
        let label: String
        /// Nil if the form was sent or the cookie is not valid.
        let expires: Date?
    }

    private let cookies: Cookies
    private let sealer: ServerKeys
    private let now: Date

    init(_ cookies: Cookies, sealer: ServerKeys, now: Date) {
        self.cookies = cookies
        self.sealer = sealer
        self.now = now
    }

    /// Returns what the browser's cookie says about the form with a label.
    func find(_ label: String) -> Found {
        guard case .one(let value) = cookies[Self.prefix + label] else { return .none }
        if value == Self.sent { return .sent }
        guard let (ticket, expires) = open(value), ticket.formLabel == label, now < expires else { return .none }
        return .kept(ticket)
    }

    /// The cookies that add a form and make room for it: forms that were sent are removed first, then those that expire
    /// first.
    ///
    /// The added cookie lasts as long as the browser can show the page of the form, which is longer than the form is
    /// kept. Without the cookie, the application would receive the text/plain body of that page.
    func cookies(adding ticket: Ticket, expires: Date) throws(StoreError) -> [SetCookie] {
        let text = "\(Int64(expires.timeIntervalSince1970))\n\(ticket.cookieValue)"
        let added = SetCookie(
            Self.name(ticket.formLabel),
            value: try sealer.seal([UInt8](text.utf8), purpose: Self.purpose)
        )
        let others = entries().filter { $0.label != ticket.formLabel }
        let surplus = max(0, others.count + 1 - Self.maximumCount)
        return [added] + others.prefix(surplus).map { .deleting(Self.name($0.label)) }
    }

    /// The cookie of a form that was sent; it lasts as long as the browser can reload its pages.
    static func sent(_ label: String) -> SetCookie {
        SetCookie(name(label), value: sent)
    }

    /// The cookie of a form that will never be sent.
    static func gone(_ label: String) -> SetCookie {
        SetCookie(name(label), value: gone)
    }

    /// The label of the browser's only kept form; nil if there are several or none.
    ///
    /// `expiry` selects the form that one sign-in kept: the second in which that sign-in expires.
    func onlyLabel(expiring expiry: Date? = nil) -> String? {
        let kept = entries().filter { entry in
            guard let expires = entry.expires, now < expires else { return false }
            return expiry.map { expires.timeIntervalSince1970 == $0.timeIntervalSince1970.rounded(.down) } ?? true
        }
        return kept.count == 1 ? kept[0].label : nil
    }

    var labels: [String] { entries().map(\.label) }

    /// The cookies that end all kept forms except one, so that nobody else can send the form of a member who signs out.
    func endings(butOf label: String? = nil) -> [SetCookie] {
        entries().filter { $0.label != label }.suffix(Self.maximumCount).map { Self.gone($0.label) }
    }

    private func entries() -> [Entry] {
        cookies.names(withPrefix: Self.prefix).prefix(64).map { name in
            var expires: Date?
            if case .one(let value) = cookies[name] { expires = open(value)?.expires }
            // Bytes, not characters: a combining accent would form one character with the end of the prefix.
            let label = String(decoding: name.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self)
            return Entry(label: label, expires: expires)
        }.sorted { ($0.expires ?? .distantPast) < ($1.expires ?? .distantPast) }
    }

    private func open(_ value: String) -> (ticket: Ticket, expires: Date)? {
        guard let bytes = sealer.open(value, purpose: Self.purpose) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, let seconds = Int64(lines[0]), let ticket = Ticket(cookieValue: String(lines[1])) else {
            return nil
        }
        return (ticket, Date(timeIntervalSince1970: Double(seconds)))
    }

    private static func name(_ label: String) -> String {
        "resume-" + label
    }
}
