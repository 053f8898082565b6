import CSystem
import Encoding
import Glibc
import POSIX

/// A listening socket: bound by this program, or inherited from the process that started it.
package final class Listener: Sendable {
    /// The result of an attempt to accept a connection.
    enum Outcome {
        case connection(Int32)
        case none
        /// The system has no free descriptor or memory.
        case exhausted(SystemError)
    }

    /// Connections that may wait to be accepted; the system limits it further (`net.core.somaxconn`).
    private static let backlog: Int32 = 4_096

    /// The path or address, for messages.
    package let name: String
    /// The path of a Unix socket that another program bound; nil for every other socket.
    package let inheritedPath: String?
    private let descriptor: FileDescriptor
    /// The socket file, removed on deinit if it is still this one.
    private let file: SocketFile?
    /// The process whose socket this one replaced, unless it was about to stop.
    private let predecessor: pid_t?
    let isInherited: Bool
    let isUnix: Bool
    var number: Int32 { descriptor.number }

    private init(
        _ descriptor: consuming FileDescriptor,
        name: String,
        file: SocketFile? = nil,
        predecessor: pid_t? = nil,
        isInherited: Bool = false
    ) {
        isUnix = Address.isUnix(descriptor.number)
        inheritedPath = isInherited ? Address(of: descriptor.number)?.path : nil
        self.descriptor = descriptor
        self.name = name
        self.file = file
        self.predecessor = predecessor
        self.isInherited = isInherited
    }

    deinit {
        file?.remove()
    }

    /// The port of a TCP socket; the system chose it if the socket was bound to port 0.
    package var port: UInt16? {
        Address(of: number)?.port
    }

    /// Accepts a waiting connection without blocking.
    ///
    /// The descriptor of the connection does not block either, and child processes do not inherit it.
    func accept() -> Outcome {
        while true {
            let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            let number = accept4(number, nil, nil, flags)
            if number >= 0 { return .connection(number) }
            let error = errno
            switch error {
            case EINTR, ECONNABORTED: continue
            case EMFILE, ENFILE, ENOMEM, ENOBUFS: return .exhausted(SystemError("accept4", error))
            default: return .none
            }
        }
    }

    /// Asks the process whose socket this one replaced to stop; that process still finishes its requests.
    ///
    /// - Returns: The process, or nil if there is none or it may not be signalled.
    package func stopPredecessor() -> Int32? {
        guard let predecessor, predecessor != getpid(), kill(predecessor, SIGTERM) == 0 else { return nil }
        return predecessor
    }

    /// Lets a successor put its socket in place of this one.
    func announceEnd() {
        file?.markLeaving()
    }

    /// Whether a successor has replaced this socket, so that it gets no more connections.
    var isReplaced: Bool {
        file.map { !$0.isCurrent } ?? false
    }

    /// Removes the path of the socket, unless a successor has replaced it.
    func withdraw() {
        file?.remove()
    }

    // MARK: - Binding

    /// Binds a Unix socket, which appears at its path in one step: it listens already, and has its mode and group.
    ///
    /// Replaces another socket at the path if no process answers there, if the process that answers is about to stop, or if
    /// `takesOver` is true. At every moment one of the two sockets listens. Any other file at the path is an error.
    ///
    /// - Parameters:
    ///   - path: An absolute path whose directory exists.
    ///   - mode: Permission bits of the socket file; a user with write permission can connect.
    ///   - group: The name or number of the socket file's group, or nil to leave it.
    ///   - takesOver: Whether to replace the socket of a process that answers and is not about to stop.
    /// - Returns: The listening socket, which removes its file on deinit.
    /// - Throws: `FastCGIError` with what to do about it.
    package static func unix(
        path: String,
        mode: UInt32 = 0o660,
        group: String? = nil,
        takesOver: Bool = false
    ) throws(FastCGIError) -> Listener {
        let groupID = try group.map(groupID)
        // Created beside the path and then renamed, so that no process finds it with the wrong mode or before it listens.
        let beside = "\(path).new"
        guard let address = Address(unix: beside) else {
            throw FastCGIError(
                "listen at \(path)",
                SystemError("bind", ENAMETOOLONG),
                hint: "use a path of at most 103 bytes"
            )
        }
        let descriptor = try socket(AF_UNIX, path)
        let lock = DirectoryLock(around: path)
        // unsafe because the path becomes a C string, valid during the call. This process has the lock, so the socket
        // belongs to a process that was killed.
        if SocketFile(at: beside) != nil { _ = unsafe unlink(beside) }
        let predecessor: pid_t?
        // Before the file exists, so that it never has more permission bits than `mode`.
        _ = fchmod(descriptor.number, mode)
        do throws(SystemError) {
            try SystemError.attempt("bind") { address.bind(descriptor.number) }
        } catch {
            throw FastCGIError("bind \(path)", error, hint: bindingHint(path, error))
        }
        // unsafe because the paths become C strings, valid during the calls.
        do {
            try FastCGIError.attempt("chmod", to: "set the mode of \(path)") { unsafe chmod(beside, mode) }
            if let group, let groupID {
                try FastCGIError.attempt("lchown", to: "set the group of \(path)", hint: groupHint(group)) {
                    unsafe lchown(beside, .max, groupID)
                }
            }
            try FastCGIError.attempt("listen", to: "listen at \(path)") { listen(descriptor.number, backlog) }
            predecessor = try makeWay(at: path, takesOver: takesOver)
            try FastCGIError.attempt("rename", to: "rename the socket to \(path)") { unsafe rename(beside, path) }
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
    ///   - isShared: Whether another process of this user may listen there too, if it says the same.
    /// - Returns: The listening socket.
    /// - Throws: `FastCGIError` if binding fails, or if other machines can reach the address, because FastCGI has no
    ///   authentication.
    package static func tcp(
        host: String,
        port: UInt16,
        isShared: Bool = false
    ) throws(FastCGIError) -> Listener {
        let name = "\(host):\(port)"
        let descriptor = try bound(host, port, isShared: isShared)
        try FastCGIError.attempt("listen", to: "listen at \(name)") { listen(descriptor.number, backlog) }
        return Listener(descriptor, name: name)
    }

    private static func bound(_ host: String, _ port: UInt16, isShared: Bool) throws(FastCGIError) -> FileDescriptor {
        let name = "\(host):\(port)"
        guard let address = Address(host: host, port: port), address.isLocal else {
            throw FastCGIError("listen at \(name)", hint: "only a loopback address in digits, such as 127.0.0.1 or ::1")
        }
        let descriptor = try socket(address.family, name)
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        // unsafe because the calls read a local variable through a pointer.
        _ = unsafe setsockopt(descriptor.number, SOL_SOCKET, SO_REUSEADDR, &on, size)
        _ = unsafe setsockopt(descriptor.number, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
        if isShared { _ = unsafe setsockopt(descriptor.number, SOL_SOCKET, SO_REUSEPORT, &on, size) }
        do throws(SystemError) {
            try SystemError.attempt("bind") { address.bind(descriptor.number) }
        } catch {
            throw FastCGIError("bind \(name)", error, hint: bindingHint(port: port, error))
        }
        return descriptor
    }

    /// Checks that the file at a path may be replaced, and connects to it to find out whether a process listens.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - takesOver: Whether to replace the socket of a process that answers and is not about to stop.
    ///   - user: A user whose process may listen there.
    /// - Returns: The process to stop after the replacement, unless it is about to stop.
    /// - Throws: `FastCGIError` if another process listens there, or if the file is not a socket.
    private static func makeWay(
        at path: String,
        takesOver: Bool,
        sparing user: UInt32? = nil
    ) throws(FastCGIError) -> pid_t? {
        guard SocketFile.exists(path) else { return nil }
        guard let file = SocketFile(at: path), let address = Address(unix: path) else {
            let command = "mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".old"))"
            throw FastCGIError(
                "listen at \(path)",
                SystemError("bind", EEXIST),
                hint: "a file that is not a socket is in the way; run: \(command)"
            )
        }
        let probe = try socket(AF_UNIX, path)
        if address.connect(probe.number) != 0, errno == ECONNREFUSED { return nil }
        guard !file.isLeaving else { return nil }
        if let user, PeerPolicy.peer(of: probe.number) == user { return nil }
        let process = PeerPolicy.process(of: probe.number)
        guard takesOver else {
            let name = process.map { "process \($0)" } ?? "another process"
            throw FastCGIError("listen at \(path)", SystemError("bind", EADDRINUSE), hint: "\(name) listens there")
        }
        // Another program opened the socket for its service, such as systemd, which must not stop.
        return process.flatMap { $0 > 1 ? $0 : nil }
    }

    private static func socket(_ family: Int32, _ name: String) throws(FastCGIError) -> FileDescriptor {
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        return FileDescriptor(
            try FastCGIError.attempt("socket", to: "open a socket for \(name)") {
                Glibc.socket(family, Int32(kind), 0)
            }
        )
    }

    /// Finds the group for a socket file, by name or number.
    ///
    /// - Throws: `FastCGIError` for a name that the system does not know.
    package static func groupID(_ name: String) throws(FastCGIError) -> UInt32 {
        guard let group = Group(name) else {
            let command = "groupadd --system \(ShellWord.quoted(name))"
            throw FastCGIError(
                "use the group \(name)",
                hint: "there is no such group: correct the name. If the name is right, create the group: \(command)"
            )
        }
        return group.id
    }

    /// What an operator can do about a port that could not be bound.
    private static func bindingHint(port: UInt16, _ error: SystemError) -> String {
        switch error.number {
        case EADDRINUSE: "another process listens there; run: ss -ltnp sport = \(port)"
        case EACCES: "only root may listen at ports below 1024; use another port"
        default: ""
        }
    }

    /// What an operator can do about a path that could not be bound.
    private static func bindingHint(_ path: String, _ error: SystemError) -> String {
        let directory = SocketFile.directory(of: path)
        let user = User.current
        let (name, place) = (ShellWord.quoted(user.name), ShellWord.quoted(directory))
        switch error.number {
        case ENOENT:
            return "\(user.described): the directory \(directory) does not exist; "
                + "run: install -d -o \(name) -m 0755 \(place)"
        case EACCES where ["/", "/run", "/var/run", "/tmp", "/var/tmp"].contains(directory):
            return "\(user.described) may not write in \(directory), which many programs share; "
                + "run: install -d -o \(name) -m 0755 /run/linkedin-signin; "
                + "and use a path in it, such as unix:/run/linkedin-signin/socket"
        case EACCES where Environment.variable("INVOCATION_ID") != nil:
            // A service of systemd, whose sockets are in a directory of root.
            return
                "\(user.described) may not write in \(directory); use a directory that RuntimeDirectory= in the unit names"
        case EACCES:
            return "\(user.described) may not write in \(directory); run: chown \(name) \(place)"
        case EROFS:
            return "the file system of \(directory) is read-only"
        default:
            return "\(user.described)"
        }
    }

    /// What an operator can do about a socket that could not be given to a group.
    private static func groupHint(_ group: String) -> String {
        let user = User.current
        let command = "usermod -aG \(ShellWord.quoted(group)) \(ShellWord.quoted(user.name))"
        return "\(user.described) is not a member of the group \(group); run: \(command)"
    }

    // MARK: - Checking

    /// Checks that this user could bind a Unix socket, and changes nothing.
    ///
    /// - Parameters:
    ///   - path: An absolute path. A process of this user may listen there: it is the one that the user would replace.
    ///   - group: The name or number of the socket file's group, or nil to leave it.
    /// - Throws: `FastCGIError`, as binding would.
    package static func check(path: String, group: String? = nil) throws(FastCGIError) {
        let groupID = try group.map(groupID)
        do throws(SystemError) {
            // unsafe because the path becomes a C string, valid during the call.
            try SystemError.attempt("bind") {
                unsafe faccessat(AT_FDCWD, SocketFile.directory(of: path), W_OK | X_OK, AT_EACCESS)
            }
        } catch {
            throw FastCGIError("bind \(path)", error, hint: bindingHint(path, error))
        }
        if let group, let groupID, geteuid() != 0, !Group.isOfProcess(groupID) {
            throw FastCGIError("set the group of \(path)", SystemError("lchown", EPERM), hint: groupHint(group))
        }
        _ = try makeWay(at: path, takesOver: false, sparing: geteuid())
    }

    /// Checks that this user could bind a TCP socket, and changes nothing.
    ///
    /// - Parameters:
    ///   - host: A loopback address in digits.
    ///   - port: The port.
    ///   - isShared: Whether another process of this user may listen there too, if it says the same.
    /// - Throws: `FastCGIError`, as binding would.
    package static func check(host: String, port: UInt16, isShared: Bool = false) throws(FastCGIError) {
        _ = try bound(host, port, isShared: isShared)
    }

    // MARK: - Inheriting

    /// Takes ownership of the listening sockets that the parent process passed.
    ///
    /// systemd passes them from descriptor 3 on and announces them in `LISTEN_FDS` and `LISTEN_PID`. spawn-fcgi and
    /// lighttpd pass one as descriptor 0 (FastCGI 1.0 §2.2).
    ///
    /// - Parameters:
    ///   - first: The first of systemd's descriptors.
    ///   - environment: Returns the value of an environment variable.
    /// - Returns: The listening sockets, empty if there are none. They are closed with their listeners, but never shut
    ///   down, because the parent process may still use them.
    /// - Throws: `FastCGIError` if a descriptor that was announced is not a listening socket, or if other machines can
    ///   reach it.
    package static func inherited(
        from first: Int32 = 3,
        environment: (String) -> String? = Environment.variable
    ) throws(FastCGIError) -> [Listener] {
        if let count = environment("LISTEN_FDS").flatMap(Int32.init), environment("LISTEN_PID") == "\(getpid())" {
            var listeners: [Listener] = []
            for number in first..<first + max(0, count) {
                listeners.append(try adopt(number))
            }
            return listeners
        }
        return isListening(0) ? [try adopt(0)] : []
    }

    /// Takes ownership of an inherited descriptor; it is closed with the listener, but never shut down.
    static func adopt(_ number: Int32) throws(FastCGIError) -> Listener {
        let name = "descriptor \(number)"
        guard isListening(number), let address = Address(of: number) else {
            throw FastCGIError(
                "use \(name)",
                SystemError("getsockopt", ENOTSOCK),
                hint: "it must be a listening stream socket"
            )
        }
        guard address.isLocal else {
            throw FastCGIError("use \(name)", hint: "it must be a Unix socket or listen on a loopback address")
        }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
        return Listener(FileDescriptor(number), name: name, isInherited: true)
    }

    private static func isListening(_ number: Int32) -> Bool {
        var isAccepting: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        // unsafe because the call writes to local variables through pointers.
        return unsafe getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &isAccepting, &length) == 0 && isAccepting == 1
    }
}
