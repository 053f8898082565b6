import Glibc

/// A worker's buffer for looking at what a peer has sent.
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

    /// Receives what is there, without waiting; `peeking` leaves it in the socket.
    mutating func receive(from number: Int32, peeking: Bool) -> Outcome {
        let flags = peeking ? MSG_PEEK | MSG_DONTWAIT : MSG_DONTWAIT
        while true {
            // unsafe because the system call writes through a pointer within the array's bounds.
            let count = unsafe storage.withUnsafeMutableBytes { buffer in
                unsafe recv(number, buffer.baseAddress, buffer.count, Int32(flags))
            }
            if count > 0 { return .bytes(count) }
            if count == 0 { return .closed }
            if errno == EAGAIN { return .nothingYet }
            if errno != EINTR { return .closed }
        }
    }
}
