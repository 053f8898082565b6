import CPostgreSQL
import Glibc

/// A connection of libpq that never blocks; in pipeline mode once it is open.
///
/// @safe because the pointer does not leave this type and one thread uses it.
@safe final class Connection {
    enum Progress {
        /// Continues when the socket can be read, or when it can be written.
        case waits(Int16)
        case open
        case failed
    }

    private let raw: OpaquePointer

    /// Begins to connect; nil if there is no memory.
    init?(to host: DatabaseTarget.Host, of target: DatabaseTarget) {
        // unsafe because strings go to C, which copies them, and because the connection is a C object: it stays in here
        // and `deinit` frees it.
        let raw = unsafe cpg_connect_start(target.text, host.name, host.address, host.port, target.password)
        guard let raw = unsafe raw else { return nil }
        unsafe self.raw = raw
        // unsafe because C gets a pointer: the connection lives.
        unsafe cpg_ignore_notices(raw)
    }

    deinit {
        // unsafe because it frees a C object that nobody uses any more.
        unsafe PQfinish(raw)
    }

    /// What to wait for before the first `advance`.
    var start: Progress {
        // unsafe because C gets a pointer: the connection lives.
        unsafe PQstatus(raw) == CONNECTION_BAD ? .failed : .waits(Int16(POLLOUT))
    }

    /// The descriptor of the socket; -1 if there is none.
    var socket: Int32 {
        // unsafe because C gets a pointer: the connection lives.
        unsafe PQsocket(raw)
    }

    /// The error message of libpq, on one line and without a password.
    var fault: String {
        // unsafe because the text belongs to the connection; it is copied.
        let text = unsafe PQerrorMessage(raw).map { unsafe String(cString: $0) } ?? ""
        let lines = text.split(whereSeparator: \.isNewline).map { $0.split(separator: " ").joined(separator: " ") }
        return lines.isEmpty ? "the connection failed" : lines.joined(separator: "; ")
    }

    /// Continues to connect.
    func advance() -> Progress {
        // unsafe because C gets a pointer: the connection lives.
        switch unsafe PQconnectPoll(raw) {
        case PGRES_POLLING_READING: return .waits(Int16(POLLIN))
        case PGRES_POLLING_WRITING: return .waits(Int16(POLLOUT))
        case PGRES_POLLING_OK:
            return unsafe PQsetnonblocking(raw, 1) == 0 && PQenterPipelineMode(raw) == 1 ? .open : .failed
        default: return .failed
        }
    }

    /// Puts statements into the pipeline, as one transaction of their own.
    ///
    /// - Parameters:
    ///   - statements: what to send.
    ///   - usesNames: whether statements with a name are sent by name; otherwise as text.
    ///   - prepares: whether name and text of each are sent to the server first, which also answers this.
    /// - Returns: false if the connection is lost.
    func send(_ statements: [Statement], usesNames: Bool = false, prepares: Bool = false) -> Bool {
        for statement in statements {
            let count = CInt(clamping: statement.types.count)
            let name = usesNames ? statement.name : nil
            // unsafe because C gets pointers to arrays and strings, all of which live until it returns; it copies them.
            if prepares, let name, unsafe PQsendPrepare(raw, name, statement.text, count, statement.types) != 1 {
                return false
            }
            // unsafe because C gets pointers to arrays and strings, all of which live until it returns; it copies them.
            let isSent = unsafe cpg_send(
                raw,
                statement.text,
                name,
                count,
                statement.types,
                statement.lengths,
                statement.bytes
            )
            guard isSent == 1 else { return false }
        }
        // unsafe because C gets a pointer: the connection lives.
        return unsafe PQpipelineSync(raw) == 1
    }

    /// Sends what the socket takes: nil if the connection is lost, true if everything is sent.
    func flush() -> Bool? {
        // unsafe because C gets a pointer: the connection lives.
        switch unsafe PQflush(raw) {
        case 0: true
        case 1: false
        default: nil
        }
    }

    /// Reads what has arrived; false if the connection is lost.
    func receive() -> Bool {
        // unsafe because C gets a pointer: the connection lives.
        unsafe PQconsumeInput(raw) == 1
    }

    /// The messages of `NOTIFY` that have arrived.
    func notices() -> [String] {
        var notices: [String] = []
        // unsafe because C gets a pointer: the connection lives. Each notification is copied and freed here.
        while let notice = unsafe PQnotifies(raw) {
            unsafe notices.append(String(cString: notice.pointee.extra))
            unsafe PQfreemem(notice)
        }
        return notices
    }

    /// The next answer that has arrived completely; nil if there is none.
    func nextAnswer() -> ServerAnswer? {
        // libpq returns nil once between the answers of two statements.
        for _ in 0..<2 {
            // unsafe because C gets a pointer: the connection lives; the result is handed over.
            guard unsafe PQisBusy(raw) == 0 else { return nil }
            if let result = unsafe PQgetResult(raw) { return unsafe ServerAnswer(consuming: result) }
        }
        return nil
    }
}
