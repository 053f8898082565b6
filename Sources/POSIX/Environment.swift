import Glibc

/// The environment variables of the process.
package enum Environment {
    /// Returns the value of a variable, or nil if it is not set.
    package static func variable(_ name: String) -> String? {
        // unsafe because the C library returns a pointer into the environment; the text is copied here.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Sets a variable; to be called before other threads read the environment.
    package static func set(_ name: String, _ value: String) {
        // unsafe because the strings are passed as C strings, which the call copies.
        _ = unsafe setenv(name, value, 1)
    }
}
