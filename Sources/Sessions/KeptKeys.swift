import Encoding

import struct Crypto.SymmetricKey

/// What the ticket of a kept request gives: the name of its file, and the key that opens it.
///
/// Neither leads back to the ticket, nor to what the ticket of a session gives: a stolen disk opens no form.
struct KeptKeys: Sendable {
    let name: RecordName
    let key: SymmetricKey

    init(_ ticket: Ticket) {
        name = RecordName(hash: Self.derive(ticket, "name"))
        key = SymmetricKey(data: Self.derive(ticket, "key"))
    }

    fileprivate static func derive(_ ticket: Ticket, _ use: String) -> [UInt8] {
        KeyDerivation.expand(ticket.bytes, info: [UInt8]("linkedin-signin kept v1 \(use)".utf8))
    }
}

extension Ticket {
    /// A text that proves to have seen this ticket of a kept request, and tells nothing of it.
    package var formToken: String { Base64URL.encode(KeptKeys.derive(self, "form")) }

    /// A short text to tell tickets of kept requests apart by; no secret, and part of nothing that is.
    package var formLabel: String { String(Base64URL.encode(KeptKeys.derive(self, "label")).prefix(8)) }
}
