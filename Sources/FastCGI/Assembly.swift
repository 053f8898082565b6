/// A request that did not arrive whole: what is here of it so far.
struct Assembly {
    private(set) var scanner: RequestScanner
    /// All its records; empty once there is a problem with it, since nobody will read them.
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
        if scanner.problem == nil {
            // unsafe because a span lends its bytes as a pointer; they are copied before the call ends.
            unsafe own.withUnsafeBufferPointer { unsafe records.append(contentsOf: $0) }
        } else {
            records = []
        }
        return progress
    }
}
