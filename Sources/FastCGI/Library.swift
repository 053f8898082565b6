import CFCGI
import Glibc

/// The start of libfcgi, which happens once in a process.
enum Library {
    /// What `FCGX_Init` answered; reading it is what starts the library.
    private static let status: Int32 = {
        // unsafe because dispositions are handed over by pointers to local values.
        var terminate = sigaction()
        var user = sigaction()
        unsafe sigaction(SIGTERM, nil, &terminate)
        unsafe sigaction(SIGUSR1, nil, &user)
        // When the library closes a connection it would wait two seconds for the peer to close first.
        unsafe setenv("LIBFCGI_OS_CLOSE_POLL_TIMEOUT", "0", 1)
        let status = FCGX_Init()
        // The library's handlers would swallow both without telling anybody here.
        unsafe sigaction(SIGTERM, &terminate, nil)
        unsafe sigaction(SIGUSR1, &user, nil)
        // A peer that vanished is an error of a write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        return status
    }()

    static func start() throws(FastCGIError) {
        guard status == 0 else { throw FastCGIError("start libfcgi", code: abs(status)) }
    }
}
