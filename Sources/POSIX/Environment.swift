import Glibc

/// The environment variables of the process.
package enum Environment {
    /// Returns the value of a variable, or nil if it is not set.
    package static func variable(_ name: String) -> String? {
        // unsafe because the C library returns a pointer into the environment; the text is copied here.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
