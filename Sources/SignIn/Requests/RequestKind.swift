import HTTP

/// The part of a browser that sent a request, which determines the answer that it can use.
enum RequestKind: Sendable {
    /// A tab that opens an address: it follows redirects and shows a page.
    case navigation
    /// A script: it reads JSON, and the browser would block a redirect to another site (CORS).
    case script
    /// A picture, a frame, the source of a script or a prefetch, whose answer nobody reads.
    case resource

    /// Uses Fetch Metadata, which a page cannot forge; without it, the `Accept` field.
    init(_ request: Request) {
        if request.isPrefetch {
            self = .resource
        } else if let mode = request.headers[.secFetchMode] {
            let destination = request.headers[.secFetchDest] ?? ""
            switch (mode, destination) {
            // Providers forbid frames around their pages, so a visitor cannot sign in inside a frame.
            // A tab whose request a service worker passes on has the destination `empty`.
            case ("navigate", "document"), ("navigate", "empty"), ("navigate", ""): self = .navigation
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
    /// Whether a person can sign in with the response: a tab opens the address, or the client does not say what does.
    var canSignIn: Bool {
        switch RequestKind(self) {
        case .navigation: true
        case .script: headers[.secFetchMode] == nil
        case .resource: false
        }
    }

    /// Whether a WebKit browser such as Safari sent the request; Chromium has the product of WebKit and another one.
    var isFromWebKit: Bool {
        let agent = headers[.userAgent] ?? ""
        return agent.contains("AppleWebKit/") && !agent.contains("Chrome/")
    }

    /// Whether a browser fetches the address before a person opens it (`Sec-Purpose`; `Purpose` in older browsers).
    fileprivate var isPrefetch: Bool {
        [.secPurpose, .purpose].contains { headers[$0]?.hasPrefix("prefetch") == true }
    }
}
