import CFCGI
import Glibc

extension Listener {
    /// Binds a Unix socket and makes it ready under its path in one step, with its mode and group.
    ///
    /// A socket that nobody answers at is replaced; anything else at the path is left alone.
    ///
    /// - Parameters:
    ///   - path: An absolute path whose directory exists.
    ///   - mode: Permission bits of the socket file; who may write may connect.
    ///   - group: A group's name or number for the socket file, or nil to leave it.
    ///   - backlog: Connections that may wait to be accepted.
    /// - Returns: The listening socket, which takes its file along when it goes.
    /// - Throws: `FastCGIError` with what to do about it.
    package static func unix(
        path: String,
        mode: UInt32 = 0o660,
        group: String? = nil,
        backlog: Int32 = defaultBacklog
    ) throws(FastCGIError) -> Listener {
        let group = try group.map { name throws(FastCGIError) in try GroupID(name) }
        // Made beside the path and renamed, so that nobody finds it with the wrong mode or not listening.
        let beside = "\(path).\(getpid())"
        guard let address = Address(unix: beside) else {
            throw FastCGIError("listen at \(path)", code: ENAMETOOLONG, hint: "a path of at most 99 bytes")
        }
        let descriptor = try socket(AF_UNIX, path)
        SocketFile(at: beside)?.remove()
        // Before the file exists, so that it never has more bits than asked for.
        _ = fchmod(descriptor.number, mode)
        try check(address.bind(descriptor.number), "bind \(path)", hint: "the directory must exist and be writable")
        // unsafe because paths go over as C strings, which the calls only read.
        do {
            try check(unsafe chmod(beside, mode), "set the mode of \(path)")
            if let group {
                let hint = "the process must be a member of the group"
                try check(unsafe lchown(beside, .max, group.id), "set the group of \(path)", hint: hint)
            }
            try check(listen(descriptor.number, backlog), "listen at \(path)")
            try makeWay(at: path)
            try check(unsafe rename(beside, path), "rename the socket to \(path)")
        } catch {
            _ = unsafe unlink(beside)
            throw error
        }
        return Listener(descriptor, name: path, file: SocketFile(at: path))
    }

    /// Binds a TCP socket on the loopback interface.
    ///
    /// - Parameters:
    ///   - host: `127.0.0.1` or another loopback address in digits, or `::1`.
    ///   - port: The port; 0 lets the system choose.
    ///   - backlog: Connections that may wait to be accepted.
    /// - Returns: The listening socket.
    /// - Throws: `FastCGIError`; an address that others can reach is refused, since FastCGI knows no authentication.
    package static func tcp(
        host: String,
        port: UInt16,
        backlog: Int32 = defaultBacklog
    ) throws(FastCGIError) -> Listener {
        let name = "\(host):\(port)"
        guard let address = Address(host: host, port: port), address.isLocal else {
            throw FastCGIError("listen at \(name)", hint: "only a loopback address in digits, such as 127.0.0.1 or ::1")
        }
        let descriptor = try socket(address.family, name)
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        // unsafe because the values go over as pointers to a local value.
        _ = unsafe setsockopt(descriptor.number, SOL_SOCKET, SO_REUSEADDR, &on, size)
        _ = unsafe setsockopt(descriptor.number, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
        try check(address.bind(descriptor.number), "bind \(name)", hint: "does another process listen there?")
        try check(listen(descriptor.number, backlog), "listen at \(name)")
        return Listener(descriptor, name: name)
    }

    /// Sees to it that a path is free, or held by a socket that nobody answers at.
    private static func makeWay(at path: String) throws(FastCGIError) {
        guard SocketFile.exists(path) else { return }
        guard SocketFile(at: path) != nil, let address = Address(unix: path) else {
            throw FastCGIError("listen at \(path)", code: EEXIST, hint: "something that is no socket is in the way")
        }
        let probe = try socket(AF_UNIX, path)
        guard address.connect(probe.number) != 0, errno == ECONNREFUSED else {
            throw FastCGIError("listen at \(path)", code: EADDRINUSE, hint: "another process listens there")
        }
    }

    private static func socket(_ family: Int32, _ name: String) throws(FastCGIError) -> Descriptor {
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        return try Descriptor(Glibc.socket(family, Int32(kind), 0), "open a socket for \(name)")
    }

    private static func check(_ status: Int32, _ operation: String, hint: String = "") throws(FastCGIError) {
        guard status == 0 else { throw FastCGIError(operation, code: errno, hint: hint) }
    }
}
