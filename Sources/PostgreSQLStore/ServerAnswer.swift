import CPostgreSQL
import Sessions

/// One of the server's answers in a pipeline.
enum ServerAnswer {
    case rows(Rows)
    /// The statement failed.
    case failure(ServerFailure)
    /// An earlier statement of the same call failed, and this one was not run.
    case skipped
    /// The call is over.
    case end
}

/// The server's error about a statement.
struct ServerFailure {
    /// Five characters (SQLSTATE); empty if libpq found the fault.
    let code: String
    let message: String

    /// The session cannot go on, or the server takes no writes: only another connection can help.
    var endsConnection: Bool {
        // 08: connection exception; 57P01 to 57P05: shut down, terminated; 25006: the server is a standby now.
        code.isEmpty || code.hasPrefix("08") || code.hasPrefix("57P") || code == "25006"
    }

    var storeError: StoreError {
        let detail = "PostgreSQL: \(message)"
        if endsConnection { return StoreError(.unreachable, detail: detail) }
        switch code {
        case "53100": return StoreError(.full, detail: detail)
        // Serialization failure, deadlock, and a server that cancels what takes too long.
        case "40001", "40P01", "57014": return StoreError(.busy, detail: detail)
        default: return StoreError(.unusable, detail: "\(detail) (\(code))")
        }
    }
}

extension ServerAnswer {
    /// Reads and frees a result.
    ///
    /// - Parameter raw: from `PQgetResult`, and used by nobody else.
    @unsafe init(consuming raw: OpaquePointer) {
        // unsafe because the result is a C object: it is read and then freed here.
        defer { unsafe PQclear(raw) }
        switch unsafe PQresultStatus(raw) {
        case PGRES_PIPELINE_SYNC: self = .end
        case PGRES_PIPELINE_ABORTED: self = .skipped
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK: self = unsafe .rows(Rows(reading: raw))
        default:
            // unsafe because both texts belong to the result; they are copied.
            let code = unsafe cpg_error_code(raw).map { unsafe String(cString: $0) } ?? ""
            let message = unsafe cpg_error_message(raw).map { unsafe String(cString: $0) } ?? "the connection failed"
            self = .failure(ServerFailure(code: code, message: message))
        }
    }
}

extension Rows {
    @unsafe fileprivate init(reading raw: OpaquePointer) {
        // unsafe because the result is a C object that lives during this call; each value is copied with its length.
        let (rows, columns) = unsafe (PQntuples(raw), PQnfields(raw))
        var (cells, content): ([Range<Int>?], [UInt8]) = ([], [])
        cells.reserveCapacity(Int(rows * columns))
        // One allocation for all values.
        unsafe content.reserveCapacity(Self.size(raw, rows: rows, columns: columns))
        for row in 0..<rows {
            for column in 0..<columns {
                guard unsafe PQgetisnull(raw, row, column) == 0, let value = unsafe PQgetvalue(raw, row, column) else {
                    cells.append(nil)
                    continue
                }
                let (start, count) = (content.count, unsafe Int(PQgetlength(raw, row, column)))
                unsafe content.append(contentsOf: UnsafeRawBufferPointer(start: value, count: count))
                cells.append(start..<content.count)
            }
        }
        // unsafe because the text belongs to the result; it is copied. It is empty for statements that count nothing.
        let affected = unsafe PQcmdTuples(raw).flatMap { unsafe Int(String(cString: $0)) } ?? 0
        self.init(columns: Int(columns), cells: cells, of: content, affected: affected)
    }

    /// Bytes of all values of a result.
    @unsafe private static func size(_ raw: OpaquePointer, rows: Int32, columns: Int32) -> Int {
        var size = 0
        for row in 0..<rows {
            // unsafe because the result is a C object that lives during this call.
            for column in 0..<columns { size += unsafe Int(PQgetlength(raw, row, column)) }
        }
        return size
    }
}
