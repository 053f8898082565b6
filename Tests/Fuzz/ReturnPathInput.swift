import HTTP
import Settings

/// A return path: an accepted path stays on this site, however often it is decoded.
enum ReturnPathInput {
    static func take(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        guard let path = ReturnPath(text) else { return }
        precondition(path.text.utf8.elementsEqual(text.utf8), "the path was changed")
        precondition(text.utf8.count <= ReturnPath.maximumLength, "a path is too long")
        precondition(text.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "a path is not visible ASCII")
        precondition(ReturnPath(path.text) == path, "a path is not accepted twice")
        let form = FormData(parsing: FormData(["return_to": text]).encoded)
        precondition(form?["return_to"] == .one(text), "a path does not survive a form")

        var decoded = Array(text.utf8.prefix { $0 != UInt8(ascii: "?") })
        while true {
            precondition(decoded.first == UInt8(ascii: "/"), "a path does not begin with a slash")
            precondition(!slashes.contains(decoded.dropFirst().first ?? 0), "a path begins with two slashes")
            precondition(
                !normalized(decoded).starts(with: "//".utf8),
                "a browser makes the path begin with two slashes"
            )
            let next = decodedOnce(decoded)
            if next == decoded { break }
            decoded = next
        }
    }

    private static let slashes = Array("/\\".utf8)

    /// A path without dot segments, as RFC 3986 §5.2.4 removes them: another algorithm than the one under test.
    private static func normalized(_ path: [UInt8]) -> [UInt8] {
        var (input, output) = (path[...], [UInt8]())
        while !input.isEmpty {
            if input.starts(with: "/./".utf8) {
                input = input.dropFirst(2)
            } else if input.elementsEqual("/.".utf8) {
                input = Array("/".utf8)[...]
            } else if input.starts(with: "/../".utf8) || input.elementsEqual("/..".utf8) {
                input = input.count == 3 ? Array("/".utf8)[...] : input.dropFirst(3)
                output.removeLast(output.count - (output.lastIndex(of: UInt8(ascii: "/")) ?? 0))
            } else {
                let end = input.dropFirst().firstIndex(of: UInt8(ascii: "/")) ?? input.endIndex
                output += input[..<end]
                input = input[end...]
            }
        }
        return output
    }

    private static func decodedOnce(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let high = hexadecimal(rest[rest.startIndex]), let low = hexadecimal(rest[rest.startIndex + 1])
            {
                result.append(UInt8(high << 4 | low))
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    private static func hexadecimal(_ byte: UInt8) -> Int? {
        Character(Unicode.Scalar(byte)).hexDigitValue
    }
}
