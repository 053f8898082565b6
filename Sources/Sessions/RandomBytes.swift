/// Where tickets, nonces and keys come from.
package struct RandomBytes: Sendable {
    private let generate: @Sendable (Int) throws(StoreError) -> [UInt8]

    /// Takes bytes from elsewhere, which must be as good as the system's wherever secrets depend on them.
    package init(_ generate: @escaping @Sendable (Int) throws(StoreError) -> [UInt8]) {
        self.generate = generate
    }

    /// The system's generator; there is no weaker one to fall back to.
    package static func system(_ files: FileSystem = FileSystem()) -> RandomBytes {
        RandomBytes { count throws(StoreError) in
            try asStoreError { () throws(SystemError) in try files.random(count) }
        }
    }

    /// - Throws: `StoreError` with the code `.noRandom` if there are none.
    package func callAsFunction(_ count: Int) throws(StoreError) -> [UInt8] {
        let bytes = try generate(count)
        guard bytes.count == count else { throw StoreError(.noRandom, detail: "fewer random bytes than asked for") }
        return bytes
    }
}
