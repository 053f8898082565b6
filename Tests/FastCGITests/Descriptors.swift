import Glibc
import Testing

/// The descriptors of this process.
enum Descriptors {
    /// Opens all descriptors that this process may open, but this many.
    ///
    /// - Returns: The opened descriptors.
    static func exhaust(leaving count: Int) -> [Int32] {
        var taken: [Int32] = []
        while true {
            let number = dup(1)
            guard number >= 0 else { break }
            taken.append(number)
        }
        for _ in 0..<count { if let number = taken.popLast() { close(number) } }
        return taken
    }

    /// Lowers the limit of descriptors of this process.
    static func limit(to limit: rlim_t) throws {
        var limits = rlimit(rlim_cur: limit, rlim_max: limit)
        // unsafe because the call reads the limits through a pointer.
        let status = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        try #require(status == 0)
    }

    /// The number of open descriptors.
    static func count() -> Int {
        (0..<Int32(4_096)).count { fcntl($0, F_GETFD) >= 0 }
    }

    /// Seconds of processor time that this process has used.
    static func processorTime() -> Double {
        Double(clock()) / Double(CLOCKS_PER_SEC)
    }
}
