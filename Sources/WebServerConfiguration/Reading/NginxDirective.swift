/// One directive of nginx, with what stands between its braces.
struct NginxDirective: Sendable, Equatable {
    let name: String
    let arguments: [String]
    let place: SourcePlace
    var block: [NginxDirective] = []

    /// The directive as an operator reads it, without its block.
    var text: String { ([name] + arguments).joined(separator: " ") }
}

extension Array where Element == NginxDirective {
    func named(_ name: String) -> [NginxDirective] { filter { $0.name == name } }

    /// The last value that `set` gives a variable here.
    func value(of variable: String) -> String? {
        last { $0.name == "set" && $0.arguments.count == 2 && $0.arguments[0] == variable }?.arguments[1]
    }
}
