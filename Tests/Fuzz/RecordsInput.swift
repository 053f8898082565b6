@testable import FastCGI

/// The bytes of a connection: however they are cut, they come to the same.
enum RecordsInput {
    static func take(_ input: [UInt8]) {
        let (whole, progress) = scan(input[...], size: max(input.count, 1))
        for size in [1, 7, 64] {
            let (pieces, end) = scan(input[...], size: size)
            precondition(end == progress, "pieces end elsewhere")
            precondition(seen(pieces) == seen(whole), "pieces say something else")
        }
        guard case .complete(let consumed) = progress else { return }
        precondition((1...input.count).contains(consumed), "more was taken than was there")
        precondition(whole.bodySize <= consumed, "the body is longer than the request")
        precondition(scan(input[..<consumed], size: consumed).1 == progress, "what follows took part")
        precondition(scan(input[..<(consumed - 1)], size: consumed).1 == .incomplete, "complete before the last byte")
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
