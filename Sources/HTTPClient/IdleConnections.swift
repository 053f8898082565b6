import Glibc

/// The connections that are open and unused, so that one can be looked at before it is used again.
///
/// libcurl sees that a connection was closed, but not that a close_notify or the rest of a wrong answer waits on it. A
/// POST would then be lost, and such a rest would be taken for the answer to somebody else's request.
final class IdleConnections {
    /// The local port of each socket; that of one which libcurl has closed since is never asked for.
    private var ports: [CInt: CInt] = [:]

    /// Notes that a connection is unused from now on.
    func insert(socket: CInt, port: CInt) {
        ports[socket] = port
    }

    /// Takes a connection into use.
    ///
    /// - Parameter port: its local port.
    /// - Returns: whether nothing waits to be read; also true for one that others use just now, as HTTP/2 allows.
    func takeOut(port: CInt) -> Bool {
        guard let socket = ports.first(where: { $0.value == port })?.key else { return true }
        ports[socket] = nil
        var byte: UInt8 = 0
        // Unsafe because C gets a pointer, to a local variable. The byte stays where it is.
        let count = unsafe recv(socket, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT))
        return count < 0 && errno == EAGAIN
    }
}
