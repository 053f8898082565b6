/// The eight bytes before the content of a FastCGI record (FastCGI 1.0 §3.3).
struct RecordHeader: Equatable {
    /// A record type (FastCGI 1.0 §8).
    enum Kind {
        static let begin: UInt8 = 1
        static let abort: UInt8 = 2
        static let end: UInt8 = 3
        static let parameters: UInt8 = 4
        static let body: UInt8 = 5
        static let output: UInt8 = 6
        static let errors: UInt8 = 7
        static let data: UInt8 = 8
    }

    static let size = 8

    let version: UInt8
    let kind: UInt8
    let requestID: UInt16
    let contentLength: Int
    let paddingLength: Int

    /// Reads a header from its bytes, the first in the most significant place.
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

/// The role that the web server asks for in a request (FastCGI 1.0 §6); other values are possible.
struct Role: RawRepresentable, Equatable {
    let rawValue: UInt16

    static let responder = Role(rawValue: 1)
    static let authorizer = Role(rawValue: 2)
    static let filter = Role(rawValue: 3)
}

/// Records that this program makes itself.
enum MinimalRequest {
    /// A request without parameters and body, which libfcgi gets in place of one that it must not see.
    static func records(requestID: UInt16, role: Role) -> [UInt8] {
        let begin = RecordHeader(kind: RecordHeader.Kind.begin, requestID: requestID, contentLength: 8)
        return begin.bytes + [UInt8(role.rawValue >> 8), UInt8(role.rawValue & 0xff), 0, 0, 0, 0, 0, 0]
            + RecordHeader(kind: RecordHeader.Kind.parameters, requestID: requestID).bytes
            + emptyBody(requestID: requestID)
    }

    /// The record that ends a body.
    static func emptyBody(requestID: UInt16) -> [UInt8] {
        RecordHeader(kind: RecordHeader.Kind.body, requestID: requestID).bytes
    }

    /// The answer to a role that this program does not support (FastCGI 1.0 §5.5); libfcgi cannot send it.
    static func unknownRoleAnswer(requestID: UInt16) -> [UInt8] {
        let header = RecordHeader(kind: RecordHeader.Kind.end, requestID: requestID, contentLength: 8)
        return header.bytes + [0, 0, 0, 0, 3, 0, 0, 0]
    }
}
