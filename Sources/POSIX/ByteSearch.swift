import Glibc

extension Span<UInt8> {
    /// The index of the first byte with this value; nil if there is none.
    ///
    /// The C library compares 32 bytes at a time, which pays for text as long as an access token.
    package func firstIndex(of byte: UInt8) -> Int? {
        // unsafe because the function gets an address and a size; both are of this span, which outlives the call.
        unsafe withUnsafeBufferPointer { bytes in
            // The function must not get a null pointer, even with the size 0.
            guard let start = bytes.baseAddress, let found = unsafe memchr(start, Int32(byte), bytes.count) else {
                return nil
            }
            return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(start)
        }
    }
}
