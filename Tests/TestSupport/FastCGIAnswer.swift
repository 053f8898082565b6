/// The answer of a FastCGI program to one request.
package struct FastCGIAnswer: Sendable, Equatable {
    /// The complete output stream.
    package var output: [UInt8] = []
    /// The complete error stream.
    package var errors: [UInt8] = []
    /// 0 if the request was completed, 3 for an unknown role (FastCGI 1.0 §5.5).
    package var protocolStatus: UInt8 = 0

    package init(output: [UInt8] = [], errors: [UInt8] = [], protocolStatus: UInt8 = 0) {
        self.output = output
        self.errors = errors
        self.protocolStatus = protocolStatus
    }

    package var text: String { String(decoding: output, as: UTF8.self) }

    /// The lines of the header block.
    package var headerLines: [String] {
        String(decoding: output[..<headerEnd], as: UTF8.self).split(separator: "\r\n").map(String.init)
    }

    /// The code in the first line; nil if that is not `Status`.
    package var status: Int? {
        guard let line = headerLines.first, line.hasPrefix("Status: ") else { return nil }
        return Int(line.dropFirst(8).prefix(3))
    }

    package var body: [UInt8] {
        Array(output[headerEnd...].dropFirst(4))
    }

    /// The position of the empty line that ends the header block.
    private var headerEnd: Int {
        output.indices.first { output[$0...].starts(with: "\r\n\r\n".utf8) } ?? output.endIndex
    }

    package var bodyText: String { String(decoding: body, as: UTF8.self) }
}
