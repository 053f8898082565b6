/// A directive of nginx, with the directives between its braces.
struct NginxDirective: Sendable, Equatable {
    let name: String
    let arguments: [String]
    let place: SourcePlace
    var block: [NginxDirective] = []

    /// The directive as text, without its block.
    var text: String { ([name] + arguments).joined(separator: " ") }

    /// Whether this `return` or `rewrite` redirects the client.
    var isRedirect: Bool {
        if name == "return" { return arguments.first.flatMap { Int($0) }.map { (300...399).contains($0) } ?? true }
        return arguments.count > 1
            && (["redirect", "permanent"].contains(arguments.last)
                || ["http://", "https://", "$scheme"].contains { arguments[1].hasPrefix($0) })
    }

    /// Whether this `return` rejects the request.
    var isRejection: Bool { name == "return" && arguments.first.flatMap { Int($0) }.map { $0 >= 400 } == true }

    /// The address of this `listen` as nginx compares it: `443`, `*:443` and `0.0.0.0:443` are one address.
    var address: String? {
        guard let text = arguments.first, !text.hasPrefix("unix:") else { return arguments.first }
        if Int(text) != nil { return "*:" + text }
        let address = text.hasPrefix("0.0.0.0") ? "*" + text.dropFirst(7) : text
        return !address.contains(":") || address.hasSuffix("]") ? address + ":80" : address
    }

    /// The addresses in this `upstream`.
    var addresses: [String] { block.named("server").compactMap(\.arguments.first) }

    /// The path to which this `rewrite` leads a path; nil if it does not match.
    func rewriting(_ path: String) -> String? {
        arguments.count > 1 ? PathPattern.rewriting(path, by: arguments[0], to: arguments[1]) : nil
    }
}

extension Array where Element == NginxDirective {
    func named(_ name: String) -> [NginxDirective] { filter { $0.name == name } }

    /// The value of the last `set` for a variable here.
    func value(of variable: String) -> String? {
        last { $0.name == "set" && $0.arguments.count == 2 && $0.arguments[0] == variable }?.arguments[1]
    }
}
