import Glibc

/// The address of a Unix, IPv4 or IPv6 socket.
struct Address {
    /// The bytes that the system calls read and write.
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    /// The address of a Unix socket; nil if the path is longer than 107 bytes.
    init?(unix path: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count < capacity, !bytes.contains(0) else { return nil }
        // unsafe because the path is a C array, which Swift imports as a tuple.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        store(address)
    }

    /// An IPv4 or IPv6 address in digits; nil for any other text.
    init?(host: String, port: UInt16) {
        var four = sockaddr_in()
        var six = sockaddr_in6()
        // unsafe because the text becomes a C string and the calls write to local variables through pointers.
        if unsafe inet_pton(AF_INET, host, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            store(four)
        } else if unsafe inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            store(six)
        } else {
            return nil
        }
    }

    /// The address that a socket is bound to; nil if the descriptor is not a socket.
    init?(of number: Int32) {
        // unsafe because the call writes the address through pointers.
        let status = unsafe withCall { address, length in unsafe getsockname(number, address, length) }
        guard status == 0 else { return nil }
    }

    var family: Int32 { Int32(storage.ss_family) }

    var port: UInt16? {
        switch family {
        case AF_INET: UInt16(bigEndian: read(sockaddr_in.self).sin_port)
        case AF_INET6: UInt16(bigEndian: read(sockaddr_in6.self).sin6_port)
        default: nil
        }
    }

    /// The path of a Unix socket; nil for a socket without one, and for other families.
    var path: String? {
        guard family == AF_UNIX else { return nil }
        let address = read(sockaddr_un.self)
        // unsafe because the path is a C array, which Swift imports as a tuple.
        let bytes = unsafe withUnsafeBytes(of: address.sun_path) { unsafe Array($0.prefix { $0 != 0 }) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Whether only processes of this machine can reach the address.
    var isLocal: Bool {
        switch family {
        case AF_UNIX: true
        case AF_INET: UInt32(bigEndian: read(sockaddr_in.self).sin_addr.s_addr) >> 24 == 127
        case AF_INET6:
            unsafe withUnsafeBytes(of: read(sockaddr_in6.self).sin6_addr) { bytes in
                // unsafe because the address is a C union; ::1 is fifteen zeros and a one.
                unsafe bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
            }
        default: false
        }
    }

    static func isUnix(_ number: Int32) -> Bool {
        Address(of: number)?.family == AF_UNIX
    }

    func bind(_ number: Int32) -> Int32 {
        var copy = self
        // unsafe because the call reads the address through a pointer.
        return unsafe copy.withCall { address, length in unsafe Glibc.bind(number, address, length.pointee) }
    }

    func connect(_ number: Int32) -> Int32 {
        var copy = self
        // unsafe because the call reads the address through a pointer.
        return unsafe copy.withCall { address, length in unsafe Glibc.connect(number, address, length.pointee) }
    }

    private mutating func withCall(
        _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Int32 {
        // unsafe because the calls take a pointer to a C type that all families share; the storage has room for each.
        unsafe withUnsafeMutablePointer(to: &storage) { storage in
            unsafe withUnsafeMutablePointer(to: &length) { length in
                unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, length) }
            }
        }
    }

    private mutating func store<Value>(_ value: Value) {
        // unsafe because the bytes of one C structure are copied into another that has room for them.
        unsafe withUnsafeMutableBytes(of: &storage) { storage in
            unsafe withUnsafeBytes(of: value) { unsafe storage.copyMemory(from: $0) }
        }
        length = socklen_t(MemoryLayout<Value>.size)
    }

    private func read<Value>(_ type: Value.Type) -> Value {
        // unsafe because one C structure is read from the bytes of another; the caller has checked the family.
        unsafe withUnsafeBytes(of: storage) { unsafe $0.load(as: type) }
    }
}
