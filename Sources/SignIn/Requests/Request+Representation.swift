import HTTP

extension Request {
    /// Whether the client prefers JSON to a page.
    ///
    /// A browser's `Accept` names text/html. A script that names neither type gets the page.
    var prefersJSON: Bool {
        let accept = headers[.accept] ?? ""
        // The usual value from scripts, compared first for speed.
        if accept == "application/json" { return true }
        return Self.quality(of: "application/json", in: accept) > Self.quality(of: "text/html", in: accept)
    }

    /// Whether the client accepts text/html.
    var acceptsHTML: Bool {
        Self.quality(of: "text/html", in: headers[.accept] ?? "") > 0
    }

    /// The weight of a media type that is named exactly; ranges such as `text/*` are ignored (RFC 9110 §12.5.1).
    private static func quality(of type: String, in accept: String) -> Double {
        for range in accept.split(separator: ",").prefix(32) {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard parts.first == type else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            return weight ?? 1
        }
        return 0
    }

    /// The media type of the body, without parameters (RFC 9110 §8.3.1).
    var mediaType: String {
        let type = headers[.contentType] ?? ""
        return type.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
    }
}
