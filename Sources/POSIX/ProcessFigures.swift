import Glibc

/// What this process uses of the system; nil if the system does not report it.
package struct ProcessFigures: Sendable {
    /// Bytes of memory that are in use now.
    package let residentMemory: Int?
    /// Processor time of all threads, in nanoseconds.
    package let processorTime: Int
    /// The maximum number of open descriptors.
    package let descriptorLimit: Int?

    /// Asks the system.
    package init() {
        var time = timespec()
        // unsafe because the calls write to local variables through pointers.
        _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        processorTime = time.tv_sec * 1_000_000_000 + time.tv_nsec
        var limit = rlimit()
        let status = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        descriptorLimit = status == 0 ? Int(clamping: limit.rlim_cur) : nil
        residentMemory = Self.residentPages.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
    }

    /// The second number in the file is the resident memory (proc(5)).
    private static var residentPages: Int? {
        guard let file = try? ReadableFile("/proc/self/statm"), let bytes = try? file.contents(limit: 4096) else {
            return nil
        }
        let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return numbers.count > 1 ? Int(numbers[1]) : nil
    }
}
