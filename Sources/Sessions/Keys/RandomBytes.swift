import POSIX

/// A source of random bytes for tickets, nonces and keys.
package struct RandomBytes: Sendable {
    private let generate: @Sendable (Int) throws(StoreError) -> [UInt8]

    /// Uses another source, which must be as strong as the system's if secrets depend on it.
    package init(_ generate: @escaping @Sendable (Int) throws(StoreError) -> [UInt8]) {
        self.generate = generate
    }

    /// The system's random generator; if it fails, nothing weaker replaces it.
    package static func system(_ files: FileSystem = FileSystem()) -> RandomBytes {
        RandomBytes { count throws(StoreError) in
            try asStoreError { () throws(SystemError) in try files.random(count) }
        }
    }

    /// Returns this many random bytes.
    ///
    /// - Throws: `StoreError` with the code `.noRandom` if there are none.
    package func callAsFunction(_ count: Int) throws(StoreError) -> [UInt8] {
        let bytes = try generate(count)
        guard bytes.count == count else { throw StoreError(.noRandom, detail: "fewer random bytes than requested") }
        return bytes
    }
}
