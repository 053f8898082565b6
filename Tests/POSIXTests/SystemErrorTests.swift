import POSIX
import Testing

import var Glibc.EACCES
import var Glibc.EINTR
import var Glibc.ENOENT
import var Glibc.F_GETFD
import var Glibc.O_RDONLY
import func Glibc.close
import var Glibc.errno
import func Glibc.fcntl
import func Glibc.open

struct SystemErrorTests {
    @Test func `a system error has the text and the name of its number`() {
        let error = SystemError("open", EACCES)
        #expect("\(error)" == "Permission denied")
        #expect(error.name == "EACCES")
        #expect(SystemError("open", 4_242).name == "error 4242")
    }

    @Test func `a failed call throws its error number and the name of the call`() {
        let error = #expect(throws: SystemError.self) {
            // unsafe because the path becomes a C string, valid during the call.
            try SystemError.attempt("open") { unsafe open("/no/such/file", O_RDONLY) }
        }
        #expect(error == SystemError("open", ENOENT))
    }

    @Test func `a call that a signal interrupts is repeated`() throws {
        var calls = 0
        let result: Int32 = try SystemError.attempt("read") {
            calls += 1
            errno = EINTR
            return calls < 3 ? -1 : 7
        }
        #expect(result == 7 && calls == 3)
    }

    @Test func `a descriptor is closed when its owner releases it`() throws {
        // unsafe because the path becomes a C string, valid during the call.
        let descriptor = try FileDescriptor("open") { unsafe open("/dev/null", O_RDONLY) }
        let number = descriptor.number
        #expect(fcntl(number, F_GETFD) >= 0)
        descriptor.release()
        #expect(fcntl(number, F_GETFD) < 0)
    }
}
