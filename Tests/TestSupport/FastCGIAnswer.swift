/// What a FastCGI program answered to one request.
package struct FastCGIAnswer: Sendable, Equatable {
    /// All of the output stream.
    package var output: [UInt8] = []
    /// All of the error stream.
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
        text.split(separator: "\r\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }.map(String.init)
    }

    /// The code of the first line, which has to be `Status`; nil if it is not.
    package var status: Int? {
        guard let line = headerLines.first, line.hasPrefix("Status: ") else { return nil }
        return Int(line.dropFirst(8).prefix(3))
    }

    package var body: [UInt8] {
        let blank = Array("\r\n\r\n".utf8)
        for start in output.indices where output[start...].starts(with: blank) {
            return Array(output[(start + 4)...])
        }
        return []
    }

    package var bodyText: String { String(decoding: body, as: UTF8.self) }
}
