import HTTP

/// What in a browser sent a request, which says what answer is of use to it.
enum RequestKind: Sendable {
    /// A person's tab is going somewhere: it can be redirected, and shows a page.
    case navigation
    /// A script: it reads JSON, and a redirect to another site would only be blocked (CORS).
    case script
    /// A picture, a frame, a script's source, something fetched before anybody asked for it: nobody reads the answer.
    case resource

    /// From Fetch Metadata, which no page can forge; without it, from what a client says it accepts.
    init(_ request: Request) {
        if request.isPrefetch {
            self = .resource
        } else if let mode = request.headers[.secFetchMode] {
            let destination = request.headers[.secFetchDest] ?? ""
            switch (mode, destination) {
            // A provider's page does not let itself be framed, so a frame is no place to sign in.
            case ("navigate", "document"), ("navigate", ""): self = .navigation
            case ("navigate", _): self = .resource
            case (_, "empty"), (_, ""): self = .script
            default: self = .resource
            }
        } else if request.headers[.xRequestedWith] != nil || request.prefersJSON {
            self = .script
        } else if request.acceptsHTML {
            self = .navigation
        } else {
            let accept = request.headers[.accept] ?? ""
            self = accept.isEmpty || accept.contains("*/*") ? .script : .resource
        }
    }
}

extension Request {
    /// Whether a browser fetches this in case somebody goes there (`Sec-Purpose`; `Purpose` in older ones).
    fileprivate var isPrefetch: Bool {
        [.secPurpose, .purpose].contains { headers[$0]?.hasPrefix("prefetch") == true }
    }
}
