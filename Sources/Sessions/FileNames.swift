import Encoding
import POSIX

/// The path of a record or of the mark of a spent state: a shard directory of two hexadecimal digits, and a file name of
/// thirty more.
///
/// It is made from a hash only, never from text that a visitor sent.
struct RecordName: Sendable {
    /// "ab/cdef…" and a NUL, on the stack, so that finding a record allocates nothing.
    let path: InlineArray<34, UInt8>

    private static let digits = [UInt8]("0123456789abcdef".utf8)
    private static let hashCount = 16

    /// Uses the first 16 bytes of a hash.
    init(hash: some Sequence<UInt8>) {
        var path = InlineArray<34, UInt8>(repeating: 0)
        var index = 0
        for byte in hash.prefix(Self.hashCount) {
            if index == 2 {
                path[index] = UInt8(ascii: "/")
                index += 1
            }
            path[index] = Self.digits[Int(byte >> 4)]
            path[index + 1] = Self.digits[Int(byte & 15)]
            index += 2
        }
        self.path = path
    }

    var shard: String { text(0..<2) }
    var file: String { text(3..<33) }
    var relativePath: String { text(0..<33) }
    /// The name of a file in a directory without shards.
    var flat: String { shard + file }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: range.map { path[$0] }, as: UTF8.self)
    }

    /// Whether a name in a shard has the form of `file`; the store leaves all other files alone.
    static func isFile(_ name: String) -> Bool {
        name.utf8.count == 30 && name.utf8.allSatisfy(digits.contains)
    }

    static func isFlat(_ name: String) -> Bool {
        name.utf8.count == 32 && name.utf8.allSatisfy(digits.contains)
    }

    static func shard(_ index: Int) -> String {
        String(decoding: [digits[index >> 4 & 15], digits[index & 15]], as: UTF8.self)
    }
}

/// Names of unfinished files; the sweeper recognizes them by their prefix.
enum TemporaryName {
    private static let prefix = ".new-"

    static func make(_ files: FileSystem) throws(SystemError) -> String {
        prefix + Base64URL.encode(try files.random(16))
    }

    static func matches(_ name: String) -> Bool {
        name.hasPrefix(prefix)
    }
}
