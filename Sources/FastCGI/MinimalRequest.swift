/// Records that this program makes itself.
enum MinimalRequest {
    /// A request without parameters and body: what libfcgi is given to answer one that it must not see.
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

    /// The answer to a role that this program does not play (FastCGI 1.0 §5.5); libfcgi has no way to give it.
    static func unknownRoleAnswer(requestID: UInt16) -> [UInt8] {
        let header = RecordHeader(kind: RecordHeader.Kind.end, requestID: requestID, contentLength: 8)
        return header.bytes + [0, 0, 0, 0, 3, 0, 0, 0]
    }
}
