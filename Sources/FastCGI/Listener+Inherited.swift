import CSystem
import Glibc

extension Listener {
    /// Adopts the listening sockets that whoever started the process handed over; empty if there are none.
    ///
    /// systemd passes them from descriptor 3 on and says so in `LISTEN_FDS` and `LISTEN_PID`; spawn-fcgi and lighttpd
    /// pass one as descriptor 0, where FastCGI puts it (FastCGI 1.0 §2.2).
    ///
    /// - Parameters:
    ///   - first: Where systemd's descriptors begin.
    ///   - environment: Reads an environment variable.
    /// - Returns: The listening sockets; they are closed with their listeners, but never shut down.
    /// - Throws: `FastCGIError` if a descriptor that was announced is no listening socket, or can be reached from
    ///   other machines.
    package static func inherited(
        from first: Int32 = 3,
        environment: (String) -> String? = processEnvironment
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

    /// Reads a variable of this process's environment.
    package static func processEnvironment(_ name: String) -> String? {
        // unsafe because the C library answers with a pointer into the environment, copied at once.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Takes over a descriptor of somebody else's; it is closed with the listener, but never shut down.
    static func adopt(_ number: Int32) throws(FastCGIError) -> Listener {
        let name = "descriptor \(number)"
        guard isListening(number), let address = Address(of: number) else {
            throw FastCGIError("use \(name)", code: ENOTSOCK, hint: "it must be a listening stream socket")
        }
        guard address.isLocal else {
            throw FastCGIError("use \(name)", hint: "it must be a Unix socket or listen on a loopback address")
        }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
        return Listener(try Descriptor(number, "use \(name)"), name: name, isInherited: true)
    }

    private static func isListening(_ number: Int32) -> Bool {
        var isAccepting: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        // unsafe because the system call fills in a local value through a pointer.
        return unsafe getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &isAccepting, &length) == 0 && isAccepting == 1
    }
}
