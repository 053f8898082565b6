/// Follows the records of one request from its first byte to its last, without keeping any of it.
///
/// It answers three questions before libfcgi reads a byte: is the request all here, is it within its bounds, and is it
/// made only of what a web server sends. libfcgi waits for ever for a missing byte, knows no bounds, and is not safe
/// against records that no web server sends.
struct RequestScanner {
    enum Progress: Equatable {
        case incomplete
        /// The request ended behind this many of the bytes given last.
        case complete(consumed: Int)
        case refused(ServerEvent.Refusal)

        var isComplete: Bool {
            if case .complete = self { true } else { false }
        }
    }

    /// Why a request that is all here must not be handed on.
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
    /// The bytes of the header or of the begin record under way, and how many of them are here.
    private var partial: UInt64 = 0
    private var partialCount = 0
    private var isInBegin = false
    private var content = 0
    private var padding = 0

    private(set) var requestID: UInt16 = 0
    private(set) var role = Role.responder
    private(set) var keepsConnection = false
    private(set) var bodySize = 0
    /// How many bytes of the request there are up to the end of its parameters.
    private(set) var parametersEnd = 0
    private var scanned = 0
    private(set) var problem: Problem?

    init(parameterLimit: Int, bodyLimit: Int) {
        self.bodyLimit = bodyLimit
        pairs = PairScanner(limit: parameterLimit)
    }

    /// Follows the bytes that come next.
    mutating func scan(_ bytes: Span<UInt8>) -> Progress {
        var at = 0
        defer { scanned += at }
        while phase != .finished {
            let here = bytes.count - at
            if here == 0 { return .incomplete }
            if content > 0 {
                let count = min(content, here)
                take(bytes.extracting(at..<at + count))
                content -= count
                at += count
            } else if padding > 0 {
                let count = min(padding, here)
                padding -= count
                at += count
            } else {
                partial = partial << 8 | UInt64(bytes[at])
                partialCount += 1
                at += 1
                let wasInParameters = phase == .parameters
                if partialCount == RecordHeader.size, let refusal = takePartial() { return .refused(refusal) }
                if wasInParameters, phase != .parameters { parametersEnd = scanned + at }
            }
        }
        return .complete(consumed: at)
    }

    /// Content of a stream: only its lengths matter.
    private mutating func take(_ bytes: Span<UInt8>) {
        switch phase {
        case .parameters:
            pairs.scan(bytes)
            if pairs.isTooLarge { problem = problem ?? .parametersTooLarge }
        case .body:
            bodySize += bytes.count
            if bodySize > bodyLimit { problem = problem ?? .bodyTooLarge }
        default:
            break
        }
    }

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
            // libfcgi forgets the padding of a begin record and of one that ends a stream.
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
        content = header.contentLength
        padding = header.paddingLength
        return nil
    }

    private var expectedKind: UInt8 {
        switch phase {
        case .parameters: RecordHeader.Kind.parameters
        case .body: RecordHeader.Kind.body
        default: RecordHeader.Kind.data
        }
    }

    private mutating func endStream() {
        switch phase {
        case .parameters:
            if !pairs.isAtBoundary { problem = problem ?? .parametersMalformed }
            // lighttpd before 1.4.77 never ends the body of an authorizer's request, so it is not waited for.
            phase = role == .authorizer ? .finished : .body
        case .body:
            phase = role == .filter ? .data : .finished
        default:
            phase = .finished
        }
    }
}
