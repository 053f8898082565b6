import Sessions

import struct FoundationEssentials.Date

/// A question for the record of one session.
///
/// Look-ups that wait at the same time become one statement: the server and this program then send, receive and wake each
/// other once for all of them.
struct RecordLookUp: Sendable {
    typealias Outcome = Result<FoundRecord, StoreError>

    /// The session's id.
    let id: [UInt8]
    /// When the answer is an error if the look-up has not been sent by then.
    let deadline: ContinuousClock.Instant
    /// Receives the answer once, on the thread of the connections or of the caller; it must not wait.
    let answer: @Sendable (Outcome) -> Void

    /// One row for each session that was found, or one with the timeline only.
    private static let text = PreparedText(
        """
        SELECT timeline, id, record, used FROM linkedin_signin.timeline() AS timeline
        LEFT JOIN linkedin_signin.session ON id = ANY ($1)
        """
    )

    /// The statement that answers several look-ups.
    static func statement(for lookUps: [RecordLookUp]) -> Statement {
        Statement(text, .byteArrays(lookUps.map(\.id)))
    }

    /// The answer to each of several look-ups.
    static func answers(to lookUps: [RecordLookUp], in rows: Rows) -> [FoundRecord] {
        let timeline = rows.bytes(0)
        return lookUps.map { lookUp in
            guard let row = (0..<rows.count).first(where: { rows.has(lookUp.id, in: 1, row: $0) }),
                let record = rows.bytes(2, row: row), let used = rows.time(3, row: row)
            else { return FoundRecord(stored: nil, timeline: timeline) }
            return FoundRecord(stored: (record, used), timeline: timeline)
        }
    }
}

/// What the database contains about one session.
struct FoundRecord: Sendable {
    /// The record and its last use; nil if there is no such session.
    let stored: (record: [UInt8], used: Date)?
    /// The timeline of the server that answered.
    let timeline: [UInt8]?
}
