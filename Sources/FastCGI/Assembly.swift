/// A request that did not arrive whole: what is here of it so far.
struct Assembly {
    private(set) var scanner: RequestScanner
    /// All its records; those of its parameters once its body is too large, and none once there is another problem with
    /// it, since nobody will read them.
    private(set) var records: [UInt8] = []
    /// Bytes read, kept or not.
    private(set) var size = 0
    /// Something came behind the request.
    private(set) var hasSurplus = false

    /// Bytes of memory it takes.
    var held: Int { records.count }

    init(scanner: RequestScanner) {
        self.scanner = scanner
    }

    mutating func take(_ bytes: Span<UInt8>) -> RequestScanner.Progress {
        let progress = scanner.scan(bytes)
        var own = bytes
        if case .complete(let consumed) = progress {
            own = bytes.extracting(..<consumed)
            hasSurplus = consumed < bytes.count
        }
        size += own.count
        switch scanner.problem {
        case nil:
            append(own)
        case .bodyTooLarge:
            append(own.extracting(first: max(0, scanner.parametersEnd - records.count)))
            // A copy, so that what is not kept is freed.
            if records.count > scanner.parametersEnd { records = Array(records[..<scanner.parametersEnd]) }
        default:
            records = []
        }
        return progress
    }

    private mutating func append(_ bytes: Span<UInt8>) {
        // unsafe because a span lends its bytes as a pointer; they are copied before the call ends.
        unsafe bytes.withUnsafeBufferPointer { unsafe records.append(contentsOf: $0) }
    }
}
