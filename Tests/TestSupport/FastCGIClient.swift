import Dispatch
import Glibc

/// A client that sends and reads raw records, and waits at most as long as it is told.
///
/// It waits on its own queue, because a test may wait for Swift's shared pool.
package final class FastCGIClient: Sendable {
    /// Why there is no answer.
    package enum Failure: Error, Equatable {
        case cannotConnect(Int32)
        case cannotSend(Int32)
        case timedOut
        case closed
        case malformed
    }

    private let number: Int32
    private let queue = DispatchQueue(label: "FastCGIClient")

    /// Connects to a Unix socket.
    package init(path: String) throws {
        number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // unsafe because the path is a C array and the call gets a pointer to a local value.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(number, $0, length) }
        }
        guard status == 0 else { throw Failure.cannotConnect(errno) }
    }

    /// Connects to a port on 127.0.0.1.
    package init(port: UInt16) throws {
        number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // unsafe because the call gets a pointer to a local value.
        let status = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(number, $0, length) }
        }
        guard status == 0 else { throw Failure.cannotConnect(errno) }
    }

    deinit {
        _ = close(number)
    }

    /// Sends bytes, waiting for the peer to take them.
    package func send(_ bytes: [UInt8], within patience: Duration = .seconds(10)) async throws {
        try await offPool { [number] in
            let end = ContinuousClock.now + patience
            var sent = 0
            while sent < bytes.count {
                try Self.wait(number, POLLOUT, until: end)
                sent += try Self.sendAtOnce(bytes[sent...], to: number)
            }
        }
    }

    /// Sends bytes without waiting.
    package func sendAtOnce(_ bytes: [UInt8]) throws {
        guard try bytes.isEmpty || Self.sendAtOnce(bytes[...], to: number) == bytes.count else {
            throw Failure.cannotSend(EAGAIN)
        }
    }

    /// Reads one answer, from its first record to its last.
    package func answer(within patience: Duration = .seconds(10)) async throws -> FastCGIAnswer {
        try await offPool { [number] in
            let end = ContinuousClock.now + patience
            var answer = FastCGIAnswer()
            while true {
                let header = try Self.read(number, 8, until: end)
                guard header[0] == 1 else { throw Failure.malformed }
                let length = Int(header[4]) << 8 | Int(header[5])
                let content = try Self.read(number, length + Int(header[6]), until: end).prefix(length)
                switch header[1] {
                case 3:
                    guard content.count == 8 else { throw Failure.malformed }
                    answer.protocolStatus = content[4]
                    return answer
                case 6: answer.output += content
                case 7: answer.errors += content
                default: throw Failure.malformed
                }
            }
        }
    }

    /// Sends a request and reads its answer.
    package func exchange(
        _ records: [UInt8],
        within patience: Duration = .seconds(10)
    ) async throws -> FastCGIAnswer {
        try await send(records, within: patience)
        return try await answer(within: patience)
    }

    /// Whether the peer closes the connection within a time without sending anything.
    package func isClosed(within patience: Duration) async throws -> Bool {
        try await offPool { [number] in
            do {
                _ = try Self.read(number, 1, until: .now + patience)
                return false
            } catch Failure.closed {
                return true
            } catch Failure.timedOut {
                return false
            }
        }
    }

    /// Ends the sending direction of the connection.
    package func endSending() {
        _ = shutdown(number, Int32(SHUT_WR))
    }

    private func offPool<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }

    private static func sendAtOnce(_ bytes: ArraySlice<UInt8>, to number: Int32) throws -> Int {
        // unsafe because the system call reads through a pointer within the slice's bounds.
        let count = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.send(number, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        guard count > 0 else { throw Failure.cannotSend(errno) }
        return count
    }

    private static func wait(_ number: Int32, _ events: Int32, until end: ContinuousClock.Instant) throws {
        let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
        var descriptor = pollfd(fd: number, events: Int16(events), revents: 0)
        // unsafe because the system call fills in a local value through a pointer.
        guard left > 0, unsafe poll(&descriptor, 1, Int32(left.rounded(.up))) == 1 else { throw Failure.timedOut }
    }

    private static func read(_ number: Int32, _ count: Int, until end: ContinuousClock.Instant) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var have = 0
        while have < count {
            try wait(number, POLLIN, until: end)
            // unsafe because the system call writes through a pointer within the array's bounds.
            let received = unsafe bytes.withUnsafeMutableBytes { buffer in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[have...])
                return unsafe recv(number, rest.baseAddress, rest.count, Int32(MSG_DONTWAIT))
            }
            guard received > 0 else { throw Failure.closed }
            have += received
        }
        return bytes
    }
}
