import HTTP

extension Request {
    /// Whether this is a CORS preflight: a browser asks an application before it sends a request from another origin.
    ///
    /// A browser sends a preflight with these two fields and without cookies or content (Fetch Standard, CORS-preflight
    /// fetch): a body would reach the application. It never sends the fields that make some applications treat a request as one of another method.
    package var isPreflight: Bool {
        method == .options && !mayHaveBody && isSet(.origin) && isSet(.accessControlRequestMethod) && cookies.isEmpty
            && ![.contentType, .xHTTPMethodOverride, .xHTTPMethod, .xMethodOverride].contains(where: isSet)
    }

    private func isSet(_ name: HeaderName) -> Bool {
        headers[name]?.isEmpty == false
    }
}
