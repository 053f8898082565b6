import HTTP

extension Request {
    /// Whether the client asks for JSON rather than a page.
    ///
    /// A browser's `Accept` names text/html; a script that names neither gets the page.
    var prefersJSON: Bool {
        let accept = headers[.accept] ?? ""
        // What scripts send, on the way that has to be short.
        if accept == "application/json" { return true }
        return Self.quality(of: "application/json", in: accept) > Self.quality(of: "text/html", in: accept)
    }

    /// Whether the client says that it shows pages.
    var acceptsHTML: Bool {
        Self.quality(of: "text/html", in: headers[.accept] ?? "") > 0
    }

    /// The weight of a media type that is named itself; ranges name none (RFC 9110 §12.5.1).
    private static func quality(of type: String, in accept: String) -> Double {
        for range in accept.split(separator: ",").prefix(32) {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard parts.first == type else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            return weight ?? 1
        }
        return 0
    }
}
