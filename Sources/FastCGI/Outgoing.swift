import Glibc

/// An answer in records that waits for its peer to take it.
struct Outgoing {
    enum Progress {
        case done
        case blocked
        case failed
    }

    private let records: [UInt8]
    private var sent = 0
    /// The connection goes on after this answer.
    let keepsConnection: Bool

    init(_ records: [UInt8], keepsConnection: Bool) {
        self.records = records
        self.keepsConnection = keepsConnection
    }

    /// Sends as much as the peer takes at once.
    mutating func send(to number: Int32) -> Progress {
        // unsafe because the system call reads through a pointer.
        unsafe transfer { unsafe Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Writes everything to a descriptor that may be no socket.
    mutating func write(to number: Int32) -> Progress {
        // unsafe because the system call reads through a pointer.
        unsafe transfer { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
    }

    private mutating func transfer(_ call: (UnsafeRawBufferPointer) -> Int) -> Progress {
        while sent < records.count {
            // unsafe because the system call reads the records through a pointer within the array's bounds.
            let count = unsafe records.withUnsafeBytes { bytes in
                unsafe call(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                return .blocked
            } else if errno != EINTR {
                return .failed
            }
        }
        return .done
    }
}
