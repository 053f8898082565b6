import Glibc
package import HTTP
import POSIX
import Synchronization

/// A small HTTP server for operators and monitoring at a local socket, on threads of its own.
///
/// It answers `GET` and `HEAD` (RFC 9110 §9.3), one request on each connection. It shares nothing with the workers, so it
/// also answers when they do not.
package final class AdminServer: Sendable {
    /// An answer and the media type of its body.
    package struct Answer: Sendable {
        let status: Status
        let type: String
        let body: [UInt8]

        package init(_ status: Status, type: String = "text/plain", body: [UInt8] = []) {
            self.status = status
            self.type = type
            self.body = body
        }
    }

    /// Makes an answer from the field `Accept` of the request; it may block.
    package typealias Route = @Sendable (_ accept: String?) -> Answer

    /// Connections that are answered at one time.
    ///
    /// One more ends the oldest whose request has not arrived.
    private static let limit = 8
    /// Threads at one time; further connections wait in the backlog.
    private static let threadLimit = 16
    /// The time for a request to arrive, and for its answer to be taken.
    private static let patience = Duration.seconds(2)
    /// Bytes of a request line and header.
    private static let headLimit = 8192

    private let listener: Listener
    private let routes: [String: Route]
    private let end: Wakeup
    private let active = Atomic(0)
    /// The connections whose requests have not arrived, the oldest first.
    private let silent = Mutex<[OwnedConnection]>([])

    /// Prepares a server; it accepts connections after `start`.
    ///
    /// - Parameters:
    ///   - listener: A socket that only this machine can reach.
    ///   - routes: The answers by path.
    /// - Throws: `FastCGIError` if the process has no free descriptors.
    package init(listener: Listener, routes: [String: Route]) throws(FastCGIError) {
        self.listener = listener
        self.routes = routes
        end = try Wakeup()
    }

    /// Starts the thread that accepts connections.
    ///
    /// - Throws: `FastCGIError` if the system refuses a thread.
    package func start() throws(FastCGIError) {
        do throws(SystemError) {
            _ = try Thread(named: "admin") { self.accept() }
        } catch {
            throw FastCGIError("start a thread", error)
        }
    }

    /// Ends the thread, and removes the path of a Unix socket.
    package func stop() {
        listener.withdraw()
        end.signal()
    }

    private func accept() {
        while true {
            // A pause if there are too many connections, or if the system has no descriptor for another one.
            let isFull = !hasRoom
            if Self.wait(for: end.number, beside: isFull ? -1 : listener.number, POLLIN, isFull ? 10 : -1) { return }
            guard !isFull else { continue }
            switch listener.accept() {
            case .connection(let number): serve(FileDescriptor(number))
            case .none: break
            case .exhausted: if Self.wait(for: end.number, POLLIN, 100) { return }
            }
        }
    }

    private var hasRoom: Bool {
        let count = active.load(ordering: .acquiring)
        return count < Self.limit || (count < Self.threadLimit && silent.withLock { !$0.isEmpty })
    }

    /// Answers on a thread of its own, so that a slow peer delays nobody.
    private func serve(_ connection: consuming FileDescriptor) {
        let count = active.add(1, ordering: .relaxed).newValue
        let owner = OwnedConnection(connection)
        silent.withLock { silent in
            // Its thread finds the end of the input, and closes it.
            if count > Self.limit, !silent.isEmpty {
                _ = shutdown(silent.removeFirst().descriptor.number, Int32(SHUT_RDWR))
            }
            silent.append(owner)
        }
        do throws(SystemError) {
            _ = try Thread(named: "admin-answer") { [self] in
                answer(owner)
                active.subtract(1, ordering: .releasing)
            }
        } catch {
            forget(owner)
            active.subtract(1, ordering: .releasing)
        }
    }

    /// Lets a connection go on, once its request has arrived.
    private func forget(_ connection: OwnedConnection) {
        silent.withLock { $0.removeAll { $0 === connection } }
    }

    // MARK: - One connection

    /// A descriptor that the thread of an answer shares until it has ended.
    private final class OwnedConnection: Sendable {
        let descriptor: FileDescriptor

        init(_ descriptor: consuming FileDescriptor) {
            self.descriptor = descriptor
        }
    }

    private func answer(_ connection: OwnedConnection) {
        let number = connection.descriptor.number
        let end = ContinuousClock.now + Self.patience
        let head = Self.head(from: number, until: end)
        forget(connection)
        guard let head else { return }
        let (answer, isHead) = answer(to: head)
        var text = "HTTP/1.1 \(answer.status.code) \r\nContent-Type: \(answer.type)\r\n"
        text += "Content-Length: \(answer.body.count)\r\nCache-Control: no-store\r\nConnection: close\r\n"
        if answer.status == .methodNotAllowed { text += "Allow: GET, HEAD\r\n" }
        Self.send(Array((text + "\r\n").utf8) + (isHead ? [] : answer.body), to: number, until: end)
        // The system discards the answer if a socket is closed with input unread.
        _ = shutdown(number, Int32(SHUT_WR))
        _ = Self.receive(from: number)
    }

    /// The answer to a request, and whether its body is left out.
    private func answer(to head: [UInt8]) -> (Answer, isHead: Bool) {
        guard head.count < Self.headLimit else { return (Answer(.headerFieldsTooLarge), false) }
        let line = String(decoding: head.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[1].hasPrefix("/"), ["HTTP/1.0", "HTTP/1.1"].contains(words[2]) else {
            return (Answer(.badRequest), false)
        }
        guard ["GET", "HEAD"].contains(words[0]) else { return (Answer(.methodNotAllowed), false) }
        let route = routes[String(words[1].prefix { $0 != "?" })]
        return (route?(Self.accept(in: head)) ?? Answer(.notFound), words[0] == "HEAD")
    }

    /// The field `Accept`; several of them are one list (RFC 9110 §5.3).
    private static func accept(in head: [UInt8]) -> String? {
        let fields = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst()
        let values = fields.compactMap { field -> String? in
            guard let colon = field.firstIndex(of: ":"), field[..<colon].lowercased() == "accept" else { return nil }
            return String(field[colon...].dropFirst())
        }
        return values.isEmpty ? nil : values.joined(separator: ",")
    }

    /// Reads until the empty line after the header; nil if it does not come in time, and too many bytes if it is too long.
    private static func head(from number: Int32, until end: ContinuousClock.Instant) -> [UInt8]? {
        var head: [UInt8] = []
        while head.count < headLimit {
            let left = (end - .now) / .milliseconds(1)
            guard left > 0, wait(for: number, POLLIN, Int32(left)), let bytes = receive(from: number) else {
                return nil
            }
            head += bytes
            if head.contains(sequence: "\r\n\r\n") || head.contains(sequence: "\n\n") { return head }
        }
        return head
    }

    /// Reads what has arrived; nil at the end of the input.
    private static func receive(from number: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: headLimit)
        // unsafe because the call writes through a pointer, at most the number of bytes in the array.
        let count = unsafe recv(number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private static func send(_ bytes: [UInt8], to number: Int32, until end: ContinuousClock.Instant) {
        var answer = PartialAnswer(bytes, keepsConnection: false)
        while case .blocked = answer.send(to: number) {
            let left = (end - .now) / .milliseconds(1)
            guard left > 0, wait(for: number, POLLOUT, Int32(left)) else { return }
        }
    }

    /// Waits until the first descriptor is ready, or the second one, or for a number of milliseconds; the system ignores a
    /// negative descriptor.
    ///
    /// - Returns: Whether the first one is ready.
    private static func wait(
        for number: Int32,
        beside other: Int32 = -1,
        _ events: Int32,
        _ milliseconds: Int32
    ) -> Bool {
        var descriptors = [
            pollfd(fd: number, events: Int16(events), revents: 0), pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        // unsafe because the call writes through a pointer within the bounds of the array.
        return unsafe poll(&descriptors, 2, milliseconds) > 0 && descriptors[0].revents != 0
    }
}

extension [UInt8] {
    fileprivate func contains(sequence text: String) -> Bool {
        firstRange(of: Array(text.utf8)) != nil
    }
}
