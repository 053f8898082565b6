/// Finds variables in a value of nginx.
enum NginxVariables {
    /// The names of the variables in a value, which are written as `$name` or `${name}`.
    static func names(in value: String) -> Set<String> {
        let parts = value.split(separator: "$", omittingEmptySubsequences: false).dropFirst()
        return Set(
            parts.map { part in
                let name = part.hasPrefix("{") ? part.dropFirst() : part
                return String(name.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
            }
        )
    }
}
