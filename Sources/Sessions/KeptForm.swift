import struct Crypto.SymmetricKey
package import struct FoundationEssentials.Date

/// A form that a visitor sent before signing in, kept until the visitor has signed in and sends it again.
package struct KeptForm: Sendable, Equatable {
    /// Path and query, as the client spelled them.
    package var uri: String
    package var contentType: String
    /// The page that contained the form, if that page belongs to this site.
    package var referer: String?
    package var body: [UInt8]

    package init(uri: String, contentType: String, referer: String? = nil, body: [UInt8]) {
        self.uri = uri
        self.contentType = contentType
        self.referer = referer
        self.body = body
    }
}

/// Stores forms while their senders sign in; a stored form can be read only with the ticket that `keep` returned.
package protocol KeptFormStore: Sendable {
    /// Stores a form under a new ticket.
    ///
    /// - Parameters:
    ///   - form: the form.
    ///   - client: a number for the client address, each of which has a share of the room. It is not stored.
    ///   - expires: when the form becomes unreadable and may be removed.
    ///   - now: the current time.
    /// - Returns: the ticket, or why there is no room.
    /// - Throws: `StoreError` if the form could not be stored; then nothing of it remains.
    func keep(
        _ form: KeptForm,
        from client: UInt64,
        expires: Date,
        now: Date
    ) async throws(StoreError) -> KeepOutcome

    /// Reads the form of a ticket and leaves it in the store; nil if it is unknown, expired or taken.
    ///
    /// - Throws: `StoreError` if the form is damaged or the store fails.
    func kept(_ ticket: Ticket, now: Date) async throws(StoreError) -> KeptForm?

    /// Takes the form of a ticket out of the store; nil if it is unknown, expired or taken.
    ///
    /// Only one of several callers, in this process or another, gets the form.
    ///
    /// - Throws: `StoreError` if the form is damaged, which also removes it, or if the store fails, which may have
    ///   removed it.
    func take(_ ticket: Ticket, now: Date) async throws(StoreError) -> TakenForm?

    /// Puts back a form that was taken and not used.
    ///
    /// - Throws: `StoreError` if that fails; then the form is lost.
    func putBack(_ taken: TakenForm) async throws(StoreError)

    /// Removes a form that was taken; if that fails, the sweeper removes it later.
    func discard(_ taken: TakenForm) async

    /// The bytes of the kept forms, as far as this process knows.
    var keptBytes: Int { get }
}

/// The result of storing a form.
package enum KeepOutcome: Sendable {
    case kept(Ticket)
    /// All kept forms together use the whole room.
    case full
    /// The forms of this client use its share, a quarter of the room.
    case shareTaken
}

/// A form that was taken out of the store, with what the store needs to put it back.
package struct TakenForm: Sendable {
    package let form: KeptForm
    package let ticket: Ticket
    /// The store's name for this form until it is put back or discarded.
    package let claim: String

    package init(form: KeptForm, ticket: Ticket, claim: String) {
        self.form = form
        self.ticket = ticket
        self.claim = claim
    }
}

/// The bytes of a kept form in a store: when it expires, and the sealed rest.
///
/// ```
/// "LISK"  version (2)  expires (8)  nonce (12)  sealed  tag (16)
/// ```
/// The first three fields are the header of `SealedBytes`. A key seals one record, once.
enum KeptFormRecord {
    /// The maximum number of bytes by which a record is longer than the body in it: room for address, type and referer.
    static let overhead = 64 << 10
    private static let magic = [UInt8]("LISK".utf8)
    private static let version: UInt16 = 1

    /// - Throws: `StoreError` if address, type and referer together are too long.
    static func seal(
        _ form: KeptForm,
        expires: Date,
        key: SymmetricKey,
        nonce: [UInt8]
    ) throws(StoreError) -> [UInt8] {
        var record = RecordWriter()
        record.append(raw: magic)
        record.append(version)
        record.append(expires)
        var secret = RecordWriter()
        secret.append(form.uri)
        secret.append(form.contentType)
        secret.append(form.referer) { $0.append($1) }
        secret.append(sized: form.body)
        guard secret.bytes.count < form.body.count + overhead - 64 else {
            throw StoreError(.unusable, detail: "the address, type and referer of the form are too long to be kept")
        }
        guard let sealed = SealedBytes.seal(secret.bytes, behind: record.bytes, key: key, nonce: nonce) else {
            throw StoreError(.unusable, detail: "the form could not be sealed")
        }
        return sealed
    }

    /// Whether the readable header of a record says that it has expired.
    static func hasExpired(_ bytes: [UInt8], now: Date) -> Bool {
        var header = RecordReader(bytes)
        let isKnown = header.skip(magic) && header.integer(UInt16.self) == version
        guard isKnown, let expires = header.date() else { return false }
        return expires <= now
    }

    /// The form; nil if any byte was changed since it was sealed under this key, or if it has expired.
    static func open(_ bytes: [UInt8], key: SymmetricKey, now: Date) -> KeptForm? {
        var header = RecordReader(bytes)
        guard header.skip(magic),
            header.integer(UInt16.self) == version,
            let expires = header.date(), now < expires,
            let secret = SealedBytes.open(bytes, behind: header.position, key: key)
        else { return nil }
        var reader = RecordReader(secret)
        guard let uri = reader.string(),
            let contentType = reader.string(),
            let referer = reader.optional({ $0.string() }),
            let body = reader.bytes(),
            reader.isAtEnd
        else { return nil }
        return KeptForm(uri: uri, contentType: contentType, referer: referer, body: body)
    }
}
