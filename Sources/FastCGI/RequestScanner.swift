/// Follows the records of one request from its first byte to its last, without storing them.
///
/// It answers three questions before libfcgi reads a byte: is the request complete, is it within its limits, and does it
/// contain only records that web servers send. libfcgi waits forever for a missing byte, has no limits, and is not safe
/// against other records.
struct RequestScanner {
    enum Progress: Equatable {
        case incomplete
        /// The request ended after this many of the bytes of the last call.
        case complete(consumed: Int)
        case refused(ServerEvent.Refusal)

        var isComplete: Bool {
            if case .complete = self { true } else { false }
        }
    }

    /// Why a complete request must not go to libfcgi.
    enum Problem {
        case parametersTooLarge
        case parametersMalformed
        case bodyTooLarge
        case unknownRole
    }

    private enum Phase {
        case begin
        case parameters
        case body
        case data
        case finished
    }

    private let bodyLimit: Int
    private var phase = Phase.begin
    private var pairs: PairScanner
    /// The bytes so far of a header or of the content of the begin record, and their number.
    ///
    /// Both have eight bytes.
    private var partial: UInt64 = 0
    private var partialCount = 0
    /// Whether `partial` is the content of the begin record.
    private var isInBegin = false
    /// Bytes of the current record that are still to come.
    private var contentLeft = 0
    private var paddingLeft = 0

    private(set) var requestID: UInt16 = 0
    private(set) var role = Role.responder
    private(set) var keepsConnection = false
    private(set) var bodySize = 0
    /// The number of bytes from the start of the request to the end of its parameters.
    private(set) var parametersEnd = 0
    /// Whether an authorizer's request is known to have no body, because the end of its body follows its parameters.
    ///
    /// lighttpd before 1.4.77 sends this end only without a body.
    private(set) var hasNoBody = false
    private var scanned = 0
    private(set) var problem: Problem?

    init(parameterLimit: Int, bodyLimit: Int) {
        self.bodyLimit = bodyLimit
        pairs = PairScanner(limit: parameterLimit)
    }

    /// Follows the next bytes.
    mutating func scan(_ bytes: Span<UInt8>) -> Progress {
        var at = 0
        defer { scanned += at }
        while phase != .finished {
            let available = bytes.count - at
            if available == 0 { return .incomplete }
            if contentLeft > 0 {
                let count = min(contentLeft, available)
                take(bytes.extracting(at..<at + count))
                contentLeft -= count
                at += count
            } else if paddingLeft > 0 {
                let count = min(paddingLeft, available)
                paddingLeft -= count
                at += count
            } else {
                if partialCount == 0, available >= RecordHeader.size {
                    // The most frequent case: all of it is here.
                    let next = bytes.extracting(at..<at + RecordHeader.size)
                    for index in next.indices { partial = partial << 8 | UInt64(next[index]) }
                    partialCount = RecordHeader.size
                    at += RecordHeader.size
                } else {
                    partial = partial << 8 | UInt64(bytes[at])
                    partialCount += 1
                    at += 1
                }
                let wasInParameters = phase == .parameters
                if partialCount == RecordHeader.size, let refusal = takePartial() { return .refused(refusal) }
                if wasInParameters, phase != .parameters { parametersEnd = scanned + at }
            }
        }
        if role == .authorizer, bytes.count - at >= RecordHeader.size {
            hasNoBody = isEndOfBody(bytes.extracting(at..<at + RecordHeader.size))
        }
        return .complete(consumed: at)
    }

    private func isEndOfBody(_ bytes: Span<UInt8>) -> Bool {
        var number: UInt64 = 0
        for index in bytes.indices { number = number << 8 | UInt64(bytes[index]) }
        let header = RecordHeader(bigEndian: number)
        return header.kind == RecordHeader.Kind.body && header.contentLength == 0 && header.requestID == requestID
    }

    /// Counts the content of a stream.
    private mutating func take(_ bytes: Span<UInt8>) {
        switch phase {
        case .parameters:
            pairs.scan(bytes)
            if pairs.isTooLarge { problem = problem ?? .parametersTooLarge }
        case .body:
            bodySize += bytes.count
            if bodySize > bodyLimit { problem = problem ?? .bodyTooLarge }
        case .begin, .data, .finished:
            break
        }
    }

    /// Takes a header or the content of the begin record, now that all eight bytes are here.
    private mutating func takePartial() -> ServerEvent.Refusal? {
        defer { (partial, partialCount) = (0, 0) }
        guard isInBegin else { return takeHeader(RecordHeader(bigEndian: partial)) }
        isInBegin = false
        role = Role(rawValue: UInt16(truncatingIfNeeded: partial >> 48))
        keepsConnection = partial >> 40 & 1 == 1
        if role != .responder, role != .authorizer { problem = .unknownRole }
        phase = .parameters
        return nil
    }

    private mutating func takeHeader(_ header: RecordHeader) -> ServerEvent.Refusal? {
        guard header.version == 1 else { return .version }
        if phase == .begin {
            guard header.kind == RecordHeader.Kind.begin else { return .sequence }
            guard header.requestID != 0, header.contentLength == RecordHeader.size else { return .begin }
            // libfcgi does not skip the padding of a begin record or of a record that ends a stream.
            guard header.paddingLength == 0 else { return .padding }
            requestID = header.requestID
            isInBegin = true
            return nil
        }
        guard header.requestID == requestID else { return .request }
        guard header.kind != RecordHeader.Kind.abort else { return .aborted }
        guard header.kind == expectedKind else { return .sequence }
        if header.contentLength == 0 {
            guard header.paddingLength == 0 else { return .padding }
            endStream()
        }
        contentLeft = header.contentLength
        paddingLeft = header.paddingLength
        return nil
    }

    private var expectedKind: UInt8 {
        switch phase {
        case .parameters: RecordHeader.Kind.parameters
        case .body: RecordHeader.Kind.body
        case .begin, .data, .finished: RecordHeader.Kind.data
        }
    }

    private mutating func endStream() {
        switch phase {
        case .parameters:
            if !pairs.isAtBoundary { problem = problem ?? .parametersMalformed }
            // lighttpd before 1.4.77 never ends the body of an authorizer's request, so the scanner does not wait for it.
            phase = role == .authorizer ? .finished : .body
        case .body:
            phase = role == .filter ? .data : .finished
        case .begin, .data, .finished:
            phase = .finished
        }
    }
}

/// Follows the lengths of the name-value pairs in a parameter stream (FastCGI 1.0 §3.4).
///
/// libfcgi allocates as much memory as a length says, and ends the process if it cannot. So the lengths are checked
/// before libfcgi sees them.
struct PairScanner {
    private enum State {
        case nameLength
        case nameLengthRest
        case valueLength
        case valueLengthRest
        case text
    }

    private let limit: Int
    private var state = State.nameLength
    private var nameLength = 0
    private var valueLength = 0
    /// Bytes missing from the current length or text.
    private var left = 0
    private var total = 0

    /// The stream, or the length that a pair states, is over the limit.
    private(set) var isTooLarge = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether the stream can end here, between two pairs.
    var isAtBoundary: Bool { state == .nameLength }

    mutating func scan(_ bytes: Span<UInt8>) {
        total += bytes.count
        if total > limit { isTooLarge = true }
        var at = 0
        while at < bytes.count, !isTooLarge {
            if state == .text {
                let skipped = min(left, bytes.count - at)
                at += skipped
                left -= skipped
                if left == 0 { state = .nameLength }
            } else {
                take(Int(bytes[at]))
                at += 1
            }
        }
    }

    private mutating func take(_ byte: Int) {
        switch state {
        case .nameLength where byte >= 0x80: (nameLength, left, state) = (byte & 0x7f, 3, .nameLengthRest)
        case .nameLength: (nameLength, state) = (byte, .valueLength)
        case .nameLengthRest:
            nameLength = nameLength << 8 | byte
            left -= 1
            if left == 0 { state = .valueLength }
        case .valueLength where byte >= 0x80: (valueLength, left, state) = (byte & 0x7f, 3, .valueLengthRest)
        case .valueLength:
            valueLength = byte
            beginText()
        case .valueLengthRest:
            valueLength = valueLength << 8 | byte
            left -= 1
            if left == 0 { beginText() }
        case .text: break
        }
    }

    private mutating func beginText() {
        left = nameLength + valueLength
        isTooLarge = left > limit
        state = left == 0 ? .nameLength : .text
    }
}
