import CSystem
import Glibc

/// The random generator of the system.
package enum Entropy {
    /// Asks for a random byte without waiting.
    ///
    /// - Throws: `SystemError`; `EAGAIN` if the generator has not collected enough entropy since the start of the machine.
    package static func probe() throws(SystemError) {
        var byte: UInt8 = 0
        // unsafe because the call writes one byte through a pointer.
        try SystemError.attempt("getrandom") { unsafe getrandom(&byte, 1, UInt32(GRND_NONBLOCK)) }
    }
}
