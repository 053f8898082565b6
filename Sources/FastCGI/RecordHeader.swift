/// The eight bytes before the content of a FastCGI record (FastCGI 1.0 §3.3).
struct RecordHeader: Equatable {
    /// A record type (FastCGI 1.0 §8).
    enum Kind {
        static let begin: UInt8 = 1
        static let abort: UInt8 = 2
        static let end: UInt8 = 3
        static let parameters: UInt8 = 4
        static let body: UInt8 = 5
        static let data: UInt8 = 8
    }

    static let size = 8

    let version: UInt8
    let kind: UInt8
    let requestID: UInt16
    let contentLength: Int
    let paddingLength: Int

    /// Takes the bytes apart, the first of them in the highest place.
    init(bigEndian bytes: UInt64) {
        version = UInt8(truncatingIfNeeded: bytes >> 56)
        kind = UInt8(truncatingIfNeeded: bytes >> 48)
        requestID = UInt16(truncatingIfNeeded: bytes >> 32)
        contentLength = Int(truncatingIfNeeded: bytes >> 16) & 0xffff
        paddingLength = Int(truncatingIfNeeded: bytes >> 8) & 0xff
    }

    init(kind: UInt8, requestID: UInt16, contentLength: Int = 0) {
        version = 1
        self.kind = kind
        self.requestID = requestID
        self.contentLength = contentLength
        paddingLength = 0
    }

    var bytes: [UInt8] {
        [
            version, kind, UInt8(requestID >> 8), UInt8(requestID & 0xff),
            UInt8(contentLength >> 8), UInt8(contentLength & 0xff), UInt8(paddingLength), 0,
        ]
    }
}
