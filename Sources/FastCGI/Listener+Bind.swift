import CSystem
import Encoding
import Glibc

extension Listener {
    /// Binds a Unix socket and makes it ready under its path in one step, with its mode and group.
    ///
    /// A socket at the path is replaced in one step, without a moment at which nobody listens, if no process answers
    /// there, if the process that does is about to stop, or on request. Anything else at the path is left alone.
    ///
    /// - Parameters:
    ///   - path: An absolute path whose directory exists.
    ///   - mode: Permission bits of the socket file; who may write may connect.
    ///   - group: A group's name or number for the socket file, or nil to leave it.
    ///   - backlog: Connections that may wait to be accepted.
    ///   - takesOver: Whether to replace the socket of a process that answers and is not about to stop.
    /// - Returns: The listening socket, which removes its file on deinit.
    /// - Throws: `FastCGIError` with what to do about it.
    package static func unix(
        path: String,
        mode: UInt32 = 0o660,
        group: String? = nil,
        backlog: Int32 = defaultBacklog,
        takesOver: Bool = false
    ) throws(FastCGIError) -> Listener {
        let groupName = group ?? ""
        let group = try group.map { name throws(FastCGIError) in try GroupID(name) }
        // Made beside the path and renamed, so that nobody finds it with the wrong mode or not listening.
        let beside = "\(path).new"
        guard let address = Address(unix: beside) else {
            throw FastCGIError("listen at \(path)", code: ENAMETOOLONG, hint: "a path of at most 103 bytes")
        }
        let descriptor = try socket(AF_UNIX, path)
        let lock = DirectoryLock(around: path)
        // Whoever has the lock is alone here: a socket under this name is left over from a process that was killed.
        // unsafe because the path goes over as a C string, which the call only reads.
        if SocketFile(at: beside) != nil { _ = unsafe unlink(beside) }
        let predecessor: pid_t?
        // Before the file exists, so that it never has more bits than asked for.
        _ = fchmod(descriptor.number, mode)
        if address.bind(descriptor.number) != 0 {
            let code = errno
            throw FastCGIError("bind \(path)", code: code, hint: Remedy.binding(path, code: code))
        }
        // unsafe because paths go over as C strings, which the calls only read.
        do {
            try check(unsafe chmod(beside, mode), "set the mode of \(path)")
            if let group {
                let hint = Remedy.group(groupName)
                try check(unsafe lchown(beside, .max, group.id), "set the group of \(path)", hint: hint)
            }
            try check(listen(descriptor.number, backlog), "listen at \(path)")
            predecessor = try makeWay(at: path, takesOver: takesOver)
            try check(unsafe rename(beside, path), "rename the socket to \(path)")
        } catch {
            _ = unsafe unlink(beside)
            throw error
        }
        let file = SocketFile(at: path)
        _ = consume lock
        return Listener(descriptor, name: path, file: file, predecessor: predecessor)
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

    /// Makes sure that what is at a path may be replaced.
    ///
    /// - Returns: The process to stop once it is replaced, if it is not about to stop by itself.
    private static func makeWay(at path: String, takesOver: Bool) throws(FastCGIError) -> pid_t? {
        guard SocketFile.exists(path) else { return nil }
        guard let file = SocketFile(at: path), let address = Address(unix: path) else {
            throw FastCGIError(
                "listen at \(path)",
                code: EEXIST,
                hint:
                    "a file that is not a socket is in the way; run: mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".old"))"
            )
        }
        let probe = try socket(AF_UNIX, path)
        if address.connect(probe.number) != 0, errno == ECONNREFUSED { return nil }
        guard !file.isLeaving else { return nil }
        let process = PeerPolicy.process(of: probe.number)
        guard takesOver else {
            let name = process.map { "process \($0)" } ?? "another process"
            throw FastCGIError("listen at \(path)", code: EADDRINUSE, hint: "\(name) listens there")
        }
        return process
    }

    private static func socket(_ family: Int32, _ name: String) throws(FastCGIError) -> Descriptor {
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        return try Descriptor(Glibc.socket(family, Int32(kind), 0), "open a socket for \(name)")
    }

    private static func check(_ status: Int32, _ operation: String, hint: String = "") throws(FastCGIError) {
        guard status == 0 else { throw FastCGIError(operation, code: errno, hint: hint) }
    }
}
