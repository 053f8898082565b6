import CSystem
import Glibc
import Synchronization

/// One accepted connection, closed when its last owner releases it.
///
/// @unchecked Sendable because it has one owner at a time: a worker, the table of parked connections, or an exchange.
/// It changes hands under that table's lock or through the exchange's atomic state.
final class Connection: @unchecked Sendable {
    /// What the connection waits for while it is parked.
    enum Stage {
        /// The first byte of a request.
        case idle
        /// The rest of a request.
        case receiving
        /// Room for the rest of an answer.
        case sending
    }

    /// The number of the socket's descriptor.
    let number: Int32
    var stage = Stage.idle
    /// When the connection times out; set once for a request, so that single bytes do not extend it.
    var deadline: ContinuousClock.Instant?
    /// The events that the epoll set reports of the connection; nil if it is not in the set.
    var armed: UInt32?
    /// The number of the service whose options admitted the peer.
    var admission: Int
    /// Whether the connection has carried a request before.
    var isKept = false
    /// Whether a part of a request may still be unread when the answer has been sent.
    var mayHaveInput = false
    /// Whether libfcgi has closed the descriptor, because it could not read from it.
    var isClosedByLibrary = false
    /// A request that has not arrived completely; nil if libfcgi reads the request from the socket.
    var partialRequest: PartialRequest?
    /// An answer that has not been sent completely.
    var partialAnswer: PartialAnswer?

    private let openConnections: OpenConnections

    init(_ number: Int32, admission: Int = 0, openConnections: OpenConnections) {
        self.number = number
        self.admission = admission
        self.openConnections = openConnections
        openConnections.count.add(1, ordering: .relaxed)
    }

    deinit {
        if !isClosedByLibrary { _ = close(number) }
        // Releasing, so that the supervisor that reads 0 sees the descriptor closed.
        openConnections.count.subtract(1, ordering: .releasing)
    }
}

/// The number of open connections.
final class OpenConnections: Sendable {
    let count = Atomic<Int>(0)
}

/// A partially received request.
struct PartialRequest {
    private(set) var scanner: RequestScanner
    /// The records of the request so far.
    ///
    /// If the body is too large, only the records of the parameters. After another problem there are none, because
    /// nothing reads them.
    private(set) var records: [UInt8] = []
    /// Bytes received, whether they are still in `records` or not.
    private(set) var size = 0
    /// Whether bytes have arrived after the end of the request.
    private(set) var hasSurplus = false

    /// Bytes of memory in use.
    var held: Int { records.count }

    init(scanner: RequestScanner) {
        self.scanner = scanner
    }

    /// Follows the next bytes, and keeps those that libfcgi will read.
    mutating func append(_ bytes: Span<UInt8>) -> RequestScanner.Progress {
        let progress = scanner.scan(bytes)
        var own = bytes
        if case .complete(let consumed) = progress {
            own = bytes.extracting(..<consumed)
            hasSurplus = consumed < bytes.count
        }
        size += own.count
        switch scanner.problem {
        case nil:
            keep(own)
        case .bodyTooLarge:
            keep(own.extracting(first: max(0, scanner.parametersEnd - records.count)))
            // A copy, so that the memory of the body is freed.
            if records.count > scanner.parametersEnd { records = Array(records[..<scanner.parametersEnd]) }
        case .parametersTooLarge, .parametersMalformed, .unknownRole:
            records = []
        }
        return progress
    }

    private mutating func keep(_ bytes: Span<UInt8>) {
        // unsafe because a span gives access to its bytes by a pointer; they are copied during the call.
        unsafe bytes.withUnsafeBufferPointer { unsafe records.append(contentsOf: $0) }
    }
}

/// An answer in records that its peer has not taken completely.
struct PartialAnswer {
    enum Progress {
        case done
        case blocked
        case failed
    }

    private let records: [UInt8]
    private var sent = 0
    /// Whether the connection stays open after this answer.
    let keepsConnection: Bool

    init(_ records: [UInt8], keepsConnection: Bool) {
        self.records = records
        self.keepsConnection = keepsConnection
    }

    /// Sends as much as the peer takes without blocking.
    mutating func send(to number: Int32) -> Progress {
        let flags = Int32(MSG_NOSIGNAL)
        while sent < records.count {
            // unsafe because the call reads the records through a pointer within the bounds of the array.
            let count = unsafe records.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return unsafe Glibc.send(number, rest.baseAddress, rest.count, flags)
            }
            if count > 0 {
                sent += count
                continue
            }
            let error = errno
            if error == EAGAIN { return .blocked }
            if error != EINTR { return .failed }
        }
        return .done
    }
}

/// A worker's buffer for received bytes.
struct InputBuffer: ~Copyable {
    enum Outcome: Equatable {
        case bytes(Int)
        case nothingYet
        case closed
    }

    private var storage = [UInt8](repeating: 0, count: 1 << 16)

    /// The bytes received last.
    func prefix(_ count: Int) -> ArraySlice<UInt8> {
        storage[..<count]
    }

    /// Receives what has arrived, without blocking; with `peeking`, the bytes stay in the socket.
    mutating func receive(from number: Int32, peeking: Bool) -> Outcome {
        let flags = peeking ? MSG_PEEK | MSG_DONTWAIT : MSG_DONTWAIT
        while true {
            // unsafe because the call writes through a pointer within the bounds of the array.
            let count = unsafe storage.withUnsafeMutableBytes { buffer in
                unsafe recv(number, buffer.baseAddress, buffer.count, Int32(flags))
            }
            if count > 0 { return .bytes(count) }
            if count == 0 { return .closed }
            let error = errno
            if error == EAGAIN { return .nothingYet }
            if error != EINTR { return .closed }
        }
    }
}
