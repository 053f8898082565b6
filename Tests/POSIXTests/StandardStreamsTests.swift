import Glibc
import POSIX
import Testing

struct StandardStreamsTests {
    @Test func `standard error is the journal only if JOURNAL_STREAM names it`() throws {
        var status = stat()
        // unsafe because the call writes to the variable through a pointer.
        try #require(unsafe fstat(STDERR_FILENO, &status) == 0)
        let stream = "\(status.st_dev):\(status.st_ino)"
        #expect(StandardError.isJournal { $0 == "JOURNAL_STREAM" ? stream : nil })
        #expect(!StandardError.isJournal { _ in "\(stream)1" })
        #expect(!StandardError.isJournal { _ in nil })
    }
}
