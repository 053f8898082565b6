import HTTP

import struct Foundation.Date

@testable import Sessions
@testable import SignIn

/// `Cookie` headers, one per line, of a browser with kept forms.
///
/// A line `seal LABEL TEXT` stands for a sealed cookie; each word of the text becomes a line of the sealed value, and
/// without a label the ticket's label is used.
enum KeptFormCookiesInput {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let ticket = Ticket(bytes: [UInt8](repeating: 7, count: Ticket.byteCount))
    private static let sealer = ServerKeys(
        [[UInt8](repeating: 1, count: ServerKeys.byteCount)],
        random: RandomBytes { [UInt8](repeating: 2, count: $0) }
    )
    private static let form = KeptForm(uri: "/form?a=1", contentType: "text/plain", body: [1, 2, 3])

    static func take(_ input: [UInt8]) {
        if let confirmation = KeptFormConfirmation(body: input) {
            precondition(
                input == Array("linkedin-signin-form=\(confirmation.value)\r\n".utf8),
                "a confirmation has two encodings"
            )
        }
        let lines = input.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) }
        let fields = lines.map { sealed($0) ?? $0 }
        let cookies = Cookies(fields)
        checkRequest(cookies, fields.flatMap { pieces($0) })
        checkForms(cookies, areSealed: fields != lines)
    }

    /// Checks that the application gets all other cookies, byte for byte and in order, and no cookie of this program.
    private static func checkRequest(_ cookies: Cookies, _ pairs: [Pair]) {
        let request = Request(method: .post, cookies: cookies)
        let others = pairs.filter { !$0.name.starts(with: KeptFormCookies.prefix.utf8) }
        let areClean = others.allSatisfy { ($0.name + $0.value).allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 } }
        guard let sent = try? KeptFormRequest.make(form, to: "https://site.example", as: request, isOwn: true) else {
            return precondition(!areClean, "cookies without control characters cannot be sent")
        }
        precondition(areClean, "a control character is sent")
        let fields = sent.headers.values(.cookie)
        precondition(fields.count == (others.isEmpty ? 0 : 1), "there is not exactly one Cookie header")
        precondition(fields.flatMap { pieces($0) } == others, "the application gets other cookies")
        precondition(sent.url == "https://site.example/form?a=1" && sent.body == form.body, "another form is sent")
    }

    private static func checkForms(_ cookies: Cookies, areSealed: Bool) {
        guard let sealer, let ticket else { preconditionFailure("the keys are invalid") }
        let kept = KeptFormCookies(cookies, sealer: sealer, now: now)
        let names = cookies.names(withPrefix: KeptFormCookies.prefix)
        let labels = names.map { String(decoding: $0.utf8.dropFirst(KeptFormCookies.prefix.utf8.count), as: UTF8.self) }
        for label in labels.prefix(4) {
            guard case .kept(let found) = kept.find(label) else { continue }
            precondition(areSealed && found.formLabel == label, "a form was found that was not kept")
        }
        precondition(kept.onlyLabel() == nil || areSealed, "a form is listed that was not kept")
        let known = Set(names.map { Array($0.utf8) })
        check(kept.endings(), atMost: 4, deleting: known)
        guard let added = try? kept.cookies(adding: ticket, expires: now.addingTimeInterval(600)) else {
            preconditionFailure("the cookies leave no room for a form")
        }
        check(added, atMost: 62, deleting: known)
        let left = labels.prefix(64).count { $0 != ticket.formLabel } - added.count + 1
        precondition((0...3).contains(left), "more or fewer forms are left than fit")
        let line = "\(added[0].name)=\(added[0].value)"
        guard case .kept(ticket) = KeptFormCookies(Cookies([line]), sealer: sealer, now: now).find(ticket.formLabel)
        else {
            preconditionFailure("a form that was added is not found")
        }
    }

    private static func check(_ cookies: [SetCookie], atMost count: Int, deleting known: Set<[UInt8]>) {
        precondition(cookies.count <= count, "more cookies are set than fit")
        for cookie in cookies {
            precondition(cookie.name.hasPrefix(KeptFormCookies.prefix), "a foreign cookie is set")
            let isKnown = known.contains(Array(cookie.name.utf8))
            // A name that cannot be set is deleted under its encoded form.
            precondition(cookie.maxAge != 0 || isKnown || cookie.name.contains("%"), "an unknown cookie is deleted")
            precondition(
                cookie.headerValue.utf8.allSatisfy { (0x20...0x7e).contains($0) },
                "a cookie contains a control character"
            )
            let parts = cookie.maxAge == nil ? 5 : 6
            precondition(cookie.headerValue.split(separator: ";").count == parts, "a value became an attribute")
        }
    }
}

extension KeptFormCookiesInput {
    private struct Pair: Equatable {
        let name: [UInt8]
        let value: [UInt8]
    }

    private static func sealed(_ line: String) -> String? {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count > 2, words[0] == "seal" else { return nil }
        let text = words[2...].joined(separator: "\n")
        let own = Ticket(cookieValue: words[words.count - 1])?.formLabel ?? ""
        let value = try? sealer?.seal([UInt8](text.utf8), purpose: "resume")
        return value.map { "\(KeptFormCookies.prefix)\(words[1].isEmpty ? own : words[1])=\($0)" }
    }

    /// The cookies of a header, parsed by an independent parser.
    private static func pieces(_ line: String) -> [Pair] {
        line.utf8.split(separator: UInt8(ascii: ";")).compactMap { piece in
            let parts = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let pair = Pair(name: parts.count > 1 ? trimmed(parts[0]) : [], value: trimmed(parts[parts.count - 1]))
            return pair.name.isEmpty && pair.value.isEmpty ? nil : pair
        }
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> [UInt8] {
        let isText: (UInt8) -> Bool = { $0 != 0x20 && $0 != 0x09 }
        guard let first = bytes.firstIndex(where: isText), let last = bytes.lastIndex(where: isText) else { return [] }
        return Array(bytes[first...last])
    }
}
