import HTTP

@testable import FastCGI

/// CGI variables, one per line, in both roles.
enum ParametersInput {
    static func take(_ input: [UInt8]) {
        for role in [Request.Role.responder, .authorizer] {
            var builder = CGIRequest()
            for line in input.split(separator: UInt8(ascii: "\n")) { builder.add(Array(line).span) }
            guard let request = try? builder.request(id: RequestID(0), role: role, body: []) else { continue }
            check(request)
            for line in input.split(separator: UInt8(ascii: "\n")) {
                let name = String(decoding: line.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
                guard !name.hasPrefix("SIGNIN_") else { continue }
                precondition(request.serverParameters[name] == nil, "a parameter of the visitor counts as the server's")
            }
        }
    }

    private static func check(_ request: Request) {
        precondition(HeaderName(request.method.rawValue) != nil, "the method is not a token")
        precondition(request.path.utf8.first == UInt8(ascii: "/"), "the path does not begin with a slash")
        precondition(isPlain(request.path), "the path contains a control character")
        for field in request.headers.fields {
            precondition(Request.readHeaders.contains(field.name), "an unused header was stored")
            precondition(isPlain(field.value.filter { $0 != "\t" }), "a header contains a control character")
            precondition(request.headers.values(field.name).count == 1, "a header is repeated")
        }
        FormInput.take(Array(request.query.utf8))
        _ = request.cookies["__Host-session"]
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }
}
