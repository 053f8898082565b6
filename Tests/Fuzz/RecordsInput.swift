@testable import FastCGI

/// The bytes of a connection, which must give the same result in pieces of any size.
enum RecordsInput {
    static func take(_ input: [UInt8]) {
        let (whole, progress) = scan(input[...], size: max(input.count, 1))
        for size in [1, 7, 64] {
            let (pieces, end) = scan(input[...], size: size)
            precondition(end == progress, "pieces give another end")
            precondition(seen(pieces) == seen(whole), "pieces give another request")
        }
        guard case .complete(let consumed) = progress else { return }
        precondition((1...input.count).contains(consumed), "more bytes were consumed than there are")
        precondition(whole.bodySize <= consumed, "the body is longer than the request")
        precondition(scan(input[..<consumed], size: consumed).1 == progress, "bytes after the request changed it")
        precondition(
            scan(input[..<(consumed - 1)], size: consumed).1 == .incomplete,
            "the request was complete before its last byte"
        )
    }

    private static func scan(
        _ bytes: ArraySlice<UInt8>,
        size: Int
    ) -> (RequestScanner, RequestScanner.Progress) {
        var scanner = RequestScanner(parameterLimit: 512, bodyLimit: 64)
        var rest = bytes
        while !rest.isEmpty {
            let before = bytes.count - rest.count
            switch scanner.scan(Array(rest.prefix(size)).span) {
            case .incomplete: rest = rest.dropFirst(size)
            case .complete(let consumed): return (scanner, .complete(consumed: before + consumed))
            case .refused(let refusal): return (scanner, .refused(refusal))
            }
        }
        return (scanner, .incomplete)
    }

    private static func seen(_ scanner: RequestScanner) -> [String] {
        [
            "\(scanner.requestID)", "\(scanner.role)", "\(scanner.keepsConnection)", "\(scanner.bodySize)",
            "\(scanner.problem, default: "none")",
        ]
    }
}
