import CSystem
import Glibc
package import HTTP
import POSIX

/// Asks a FastCGI program one question, as a web server does (FastCGI 1.0 §3, §6.2); bounded in time and size.
package struct Client: Sendable {
    /// Where the program listens.
    package enum Place: Sendable, Equatable {
        /// The path of a Unix socket.
        case unix(String)
        /// A literal address and a port.
        case tcp(host: String, port: Int)
    }

    /// The answer of the program.
    package struct Answer: Sendable {
        package let status: Int
        package let headers: Headers
        package let body: [UInt8]
        /// Bytes of status and header, with their line ends.
        package let headerSize: Int
        /// The process at the other end, or the one that opened the socket for it; nil if it is not visible.
        package let process: Int32?
    }

    /// Why there is no answer.
    package struct Failure: Error, Equatable {
        package enum Reason: String, Sendable {
            /// Nothing is at the path.
            case missing
            /// No process listens.
            case refused
            /// The permissions of the socket, or of a directory above it, do not allow this user.
            case denied
            /// The connection was closed without an answer.
            case closed
            /// No complete answer in time.
            case timedOut = "timed-out"
            /// The answer is not FastCGI, or not CGI.
            case malformed
            /// The answer is larger than the limit.
            case tooLarge = "too-large"
        }

        package let reason: Reason
        /// The error of the system, or what is wrong with the answer.
        package let detail: String

        init(_ reason: Reason, _ detail: String = "") {
            self.reason = reason
            self.detail = detail
        }
    }

    /// Bytes of an answer, including the records around it.
    private static let limit = 4 << 20

    private let place: Place
    private let patience: Duration

    /// - Parameters:
    ///   - place: Where the program listens.
    ///   - patience: How long one question may take.
    package init(_ place: Place, patience: Duration = .seconds(10)) {
        self.place = place
        self.patience = patience
    }

    /// Sends a request and waits for the complete answer; blocks the calling thread.
    ///
    /// - Parameters:
    ///   - parameters: The CGI meta-variables (RFC 3875 §4.1).
    ///   - body: The body; its length is a parameter of its own.
    /// - Returns: The answer, whatever its status.
    /// - Throws: `Failure` if there is none.
    package func ask(_ parameters: [(String, String)], body: [UInt8] = []) throws(Failure) -> Answer {
        let deadline = ContinuousClock.now + patience
        let connection = try connect(until: deadline)
        let process = PeerPolicy.process(of: connection.number)
        try send(Self.records(parameters, body), to: connection, until: deadline)
        var reader = AnswerRecords()
        var received = 0
        while !reader.isComplete {
            let bytes = try receive(from: connection, until: deadline)
            guard !bytes.isEmpty else { throw Failure(.closed, "the connection ended before the response") }
            received += bytes.count
            guard received <= Self.limit else { throw Failure(.tooLarge, "over \(Self.limit) bytes") }
            try reader.read(bytes)
        }
        return try reader.answer(process: process)
    }

    /// The records of a whole request.
    static func records(_ parameters: [(String, String)], _ body: [UInt8]) -> [UInt8] {
        var pairs: [UInt8] = []
        for (name, value) in parameters {
            for length in [name.utf8.count, value.utf8.count] { pairs += Self.length(length) }
            pairs += Array(name.utf8) + Array(value.utf8)
        }
        let begin = RecordHeader(kind: RecordHeader.Kind.begin, requestID: 1, contentLength: 8)
        return begin.bytes + [0, UInt8(Role.responder.rawValue), 0, 0, 0, 0, 0, 0]
            + stream(RecordHeader.Kind.parameters, pairs) + stream(RecordHeader.Kind.body, body)
    }

    /// A length in one byte, or in four with the highest bit set (FastCGI 1.0 §3.4).
    private static func length(_ length: Int) -> [UInt8] {
        guard length > 127 else { return [UInt8(length)] }
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) | ($0 == 24 ? 0x80 : 0) }
    }

    /// The records of a stream, which an empty record ends.
    private static func stream(_ kind: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        var records: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 0xffff) {
            let part = bytes[start..<min(start + 0xffff, bytes.count)]
            records += RecordHeader(kind: kind, requestID: 1, contentLength: part.count).bytes + part
        }
        return records + RecordHeader(kind: kind, requestID: 1).bytes
    }

    // MARK: - The connection

    private func connect(until deadline: ContinuousClock.Instant) throws(Failure) -> FileDescriptor {
        guard let address else { throw Failure(.missing, "the address is too long or not a literal address") }
        let family = address.family
        let connection: FileDescriptor
        do throws(SystemError) {
            connection = try FileDescriptor("socket") {
                socket(family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
            }
        } catch {
            throw Failure(.refused, "\(error)")
        }
        let number = connection.number
        do throws(SystemError) {
            try SystemError.attempt("connect") { address.connect(number) }
        } catch {
            switch error.number {
            case EINPROGRESS: try wait(for: connection, POLLOUT, until: deadline)
            // A Unix socket whose backlog is full (connect(2)).
            case EAGAIN: throw Failure(.timedOut, "the backlog of the socket is full")
            case ENOENT, ENOTDIR: throw Failure(.missing, "\(error)")
            case EACCES, EPERM: throw Failure(.denied, "\(error)")
            default: throw Failure(.refused, "\(error)")
            }
        }
        return connection
    }

    private var address: Address? {
        switch place {
        case .unix(let path): Address(unix: path)
        case .tcp(let host, let port):
            Address(host: host == "localhost" ? "127.0.0.1" : host, port: UInt16(clamping: port))
        }
    }

    private func send(
        _ bytes: [UInt8],
        to connection: borrowing FileDescriptor,
        until deadline: ContinuousClock.Instant
    ) throws(Failure) {
        let number = connection.number
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(65_536))
            // unsafe because the call reads through a pointer, at most the number of bytes in the array.
            let count = unsafe Glibc.send(number, piece, piece.count, Int32(MSG_NOSIGNAL))
            if count > 0 {
                rest = rest.dropFirst(count)
            } else {
                let error = SystemError("send", errno)
                // A program that does not want the rest may have answered already.
                if error.number == EPIPE || error.number == ECONNRESET { return }
                guard error.number == EAGAIN || error.number == EINTR else {
                    throw error.number == ECONNREFUSED ? Failure(.refused, "\(error)") : Failure(.closed, "\(error)")
                }
                try wait(for: connection, POLLOUT, until: deadline)
            }
        }
    }

    /// Returns what has arrived; nothing at the end.
    private func receive(
        from connection: borrowing FileDescriptor,
        until deadline: ContinuousClock.Instant
    ) throws(Failure) -> [UInt8] {
        let number = connection.number
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            try wait(for: connection, POLLIN, until: deadline)
            // unsafe because the call writes through a pointer, at most the number of bytes in the array.
            let count = unsafe recv(number, &buffer, buffer.count, 0)
            if count >= 0 { return Array(buffer[..<count]) }
            let error = SystemError("recv", errno)
            guard error.number == EAGAIN || error.number == EINTR else {
                throw error.number == ECONNREFUSED ? Failure(.refused, "\(error)") : Failure(.closed, "\(error)")
            }
        }
    }

    private func wait(
        for connection: borrowing FileDescriptor,
        _ events: Int32,
        until deadline: ContinuousClock.Instant
    ) throws(Failure) {
        while true {
            let left = Int32(clamping: Int((deadline - .now) / .milliseconds(1)))
            guard left > 0 else { throw Failure(.timedOut, "no complete response within \(patience)") }
            var descriptor = pollfd(fd: connection.number, events: Int16(events), revents: 0)
            // unsafe because the call writes through a pointer to a local variable.
            if unsafe poll(&descriptor, 1, left) > 0 { return }
        }
    }
}

/// Collects the answer to one request from records (FastCGI 1.0 §5.5).
struct AnswerRecords {
    private var pending: [UInt8] = []
    private var output: [UInt8] = []
    private(set) var isComplete = false

    /// Takes the next bytes.
    ///
    /// - Throws: `Client.Failure` with `.malformed` if they are not records of an answer.
    mutating func read(_ bytes: [UInt8]) throws(Client.Failure) {
        pending += bytes
        while pending.count >= RecordHeader.size, !isComplete {
            let header = RecordHeader(bigEndian: pending[..<RecordHeader.size].reduce(0) { $0 << 8 | UInt64($1) })
            guard header.version == 1, header.requestID == 1 else { throw .init(.malformed, "not FastCGI") }
            let end = RecordHeader.size + header.contentLength
            guard pending.count >= end + header.paddingLength else { return }
            switch header.kind {
            case RecordHeader.Kind.output: output += pending[RecordHeader.size..<end]
            case RecordHeader.Kind.errors: break
            case RecordHeader.Kind.end: isComplete = true
            default: throw .init(.malformed, "a FastCGI record of type \(header.kind)")
            }
            pending.removeFirst(end + header.paddingLength)
        }
    }

    /// The answer, after its end (RFC 3875 §6).
    func answer(process: Int32?) throws(Client.Failure) -> Client.Answer {
        guard let end = output.firstRange(of: Array("\r\n\r\n".utf8)) else {
            throw output.isEmpty ? .init(.closed, "an empty response") : .init(.malformed, "no end of the header")
        }
        var (headers, status) = (Headers(), 200)
        for line in String(decoding: output[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            let value = parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
            guard parts.count == 2, let name = HeaderName(String(parts[0])) else {
                throw .init(.malformed, "a line that is not a header field")
            }
            if name == HeaderName("Status") {
                status = Int(value.prefix(3)) ?? 0
            } else {
                do {
                    try headers.append(name, value)
                } catch {
                    throw .init(.malformed, "a header field with a control character")
                }
            }
        }
        return Client.Answer(
            status: status,
            headers: headers,
            body: Array(output[end.upperBound...]),
            headerSize: end.upperBound,
            process: process
        )
    }
}
