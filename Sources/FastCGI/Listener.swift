import CSystem
import Glibc
import Synchronization

/// A listening socket: bound here, or inherited from whoever started the process.
package final class Listener: Sendable {
    /// What an attempt to accept came to.
    enum Outcome {
        case connection(Int32)
        case none
        /// The system has no descriptor or memory left; the error number.
        case exhausted(Int32)
    }

    /// Connections that may wait to be accepted; the system's own maximum cuts it (`net.core.somaxconn`).
    package static let defaultBacklog: Int32 = 4_096

    /// For messages: the path or address.
    package let name: String
    private let descriptor: Descriptor
    /// The socket file that is removed at the end, if it is still this one.
    private let file: SocketFile?
    /// The process whose socket this one replaced, if it was not about to stop.
    private let predecessor: pid_t?
    let isInherited: Bool
    let isUnix: Bool
    var number: Int32 { descriptor.number }

    init(
        _ descriptor: consuming Descriptor,
        name: String,
        file: SocketFile? = nil,
        predecessor: pid_t? = nil,
        isInherited: Bool = false
    ) {
        isUnix = Address.isUnix(descriptor.number)
        self.descriptor = descriptor
        self.name = name
        self.file = file
        self.predecessor = predecessor
        self.isInherited = isInherited
    }

    deinit {
        file?.remove()
    }

    /// The port of a TCP socket, which the system chose if it was bound to port 0.
    package var port: UInt16? {
        Address(of: number)?.port
    }

    /// Accepts a connection that waits already; its descriptor does not block and is not inherited by children.
    func accept() -> Outcome {
        while true {
            let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            let number = accept4(number, nil, nil, flags)
            if number >= 0 { return .connection(number) }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EMFILE, ENFILE, ENOMEM, ENOBUFS: return .exhausted(errno)
            default: return .none
            }
        }
    }

    /// Asks the process whose socket this one replaced to stop; it still finishes its requests.
    ///
    /// - Returns: The process, or nil if there is none that may be asked.
    package func stopPredecessor() -> Int32? {
        guard let predecessor, predecessor != getpid(), kill(predecessor, SIGTERM) == 0 else { return nil }
        return predecessor
    }

    /// Lets a successor put its socket in place of this one.
    func announceEnd() {
        file?.markLeaving()
    }

    /// Whether a successor has done so: this socket gets no more connections.
    var isReplaced: Bool {
        file.map { !$0.isCurrent } ?? false
    }

    /// Removes the path of the socket, unless it is a successor's by now.
    func withdraw() {
        file?.remove()
    }
}
