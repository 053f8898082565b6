import CSystem
import Glibc

/// The service manager that started the process, if it wants to be told about it: systemd, by the protocol of sd_notify(3).
package struct ServiceManager: Sendable {
    private let path: [UInt8]
    /// The time within which the manager expects `WATCHDOG=1`; nil if it expects none.
    package let watchdog: Duration?

    /// Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`; nil without a manager, or with one at another kind of socket.
    ///
    /// - Parameter environment: Returns the value of an environment variable.
    package init?(environment: (String) -> String? = Environment.variable) {
        guard let name = environment("NOTIFY_SOCKET"), name.hasPrefix("/") || name.hasPrefix("@"),
            (2..<MemoryLayout<sockaddr_un>.size - 2).contains(name.utf8.count)
        else { return nil }
        // The first byte of an abstract address is 0.
        path = name.hasPrefix("@") ? [0] + name.utf8.dropFirst() : Array(name.utf8)
        let isForUs = environment("WATCHDOG_PID").map { $0 == String(getpid()) } ?? true
        let microseconds = environment("WATCHDOG_USEC").flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
        watchdog = isForUs ? microseconds.map { .microseconds($0) } : nil
    }

    /// Sends variables; a manager that cannot take them within a second misses them.
    ///
    /// - Parameter variables: Such as `READY=1`.
    package func notify(_ variables: String...) {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = FileDescriptor(Glibc.socket(AF_UNIX, kind, 0))
        guard socket.number >= 0 else { return }
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let text = Array(variables.joined(separator: "\n").utf8)
        // unsafe because the path is a C array, and because the calls read local variables through pointers.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        _ = unsafe setsockopt(
            socket.number,
            SOL_SOCKET,
            SO_SNDTIMEO,
            &patience,
            socklen_t(MemoryLayout<timeval>.size)
        )
        unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = unsafe sendto(socket.number, text, text.count, Int32(MSG_NOSIGNAL), address, length)
            }
        }
    }

    /// The environment variables that systemd passes to all services, as `NAME=value`; none on a machine without systemd.
    ///
    /// Only systemd knows them, because `systemctl set-environment` changes no file.
    package static var environment: [String] {
        let command = "exec timeout 5 /usr/bin/systemctl show-environment </dev/null 2>/dev/null"
        // sd_booted(3)
        guard (try? FileStatus(path: "/run/systemd/system")) != nil,
            // unsafe because the texts become C strings, valid during the call.
            let output = unsafe popen(command, "re")
        else { return [] }
        var bytes: [UInt8] = []
        // unsafe because the calls use the pointer of the line above.
        while case let byte = unsafe getc(output), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        _ = unsafe pclose(output)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The variable that orders `RELOADING=1` among the manager's own events: the time of its clock.
    package static var monotonicTime: String { "MONOTONIC_USEC=\(MonotonicClock.nanoseconds / 1_000)" }
}
