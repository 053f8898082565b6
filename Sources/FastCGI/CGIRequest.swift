import HTTP

/// Builds a request from CGI meta-variables (RFC 3875 §4.1): pure, so that it needs no server to be tried.
///
/// Of several variables of one name the last wins, as nginx means it when a `fastcgi_param` follows an included
/// file; but every `HTTP_COOKIE` counts, since nginx before 1.23 passes each `Cookie` field on its own. Bytes that are
/// no UTF-8 become U+FFFD, except in a path, which is refused.
struct CGIRequest {
    /// A value that must not be repaired.
    private enum Strict: Equatable {
        case none
        case text(String)
        case invalid
    }

    private var method = ""
    private var scriptName = Strict.none
    private var pathInfo = Strict.none
    private var documentURI = Strict.none
    private var uri = ""
    private var query = ""
    private(set) var remoteAddress = ""
    private var cookies: [String] = []
    private var headers = Headers()
    private var serverParameters: [String: String] = [:]

    /// Takes one variable, written `NAME=value`.
    mutating func add(_ variable: Span<UInt8>) {
        var end = 0
        while end < variable.count, variable[end] != UInt8(ascii: "=") { end += 1 }
        guard end < variable.count else { return }
        let name = variable.extracting(..<end)
        let value = variable.extracting((end + 1)...)
        switch CGIVariable(name: name) {
        case .method: method = Self.text(value)
        case .scriptName: scriptName = Self.strict(value)
        case .pathInfo: pathInfo = Self.strict(value)
        case .documentURI: documentURI = Self.strict(value)
        case .requestURI: uri = Self.text(value)
        case .query: query = Self.text(value)
        case .remoteAddress: remoteAddress = Self.text(value)
        case .cookie: if !value.isEmpty { cookies.append(Self.text(value)) }
        case .header(let header): set(header, value)
        case .server: serverParameters[Self.text(name)] = Self.text(value)
        case nil: break
        }
    }

    /// The request.
    ///
    /// - Throws: Why there is none: no method, one that is no token, no path, or one that cannot be decided on.
    func request(
        id: RequestID,
        role: Request.Role,
        body: [UInt8]
    ) throws(CGIRequestError) -> Request {
        guard !method.isEmpty else { throw CGIRequestError(.noMethod) }
        // The methods that are answered are known to be tokens.
        guard knownMethod == .get || knownMethod == .post || HeaderName(method) != nil else {
            throw CGIRequestError(.invalidMethod)
        }
        return Request(
            id: id,
            role: role,
            method: knownMethod,
            path: try path(role: role),
            query: query,
            uri: uri,
            remoteAddress: remoteAddress,
            cookies: Cookies(cookies),
            headers: headers,
            serverParameters: serverParameters,
            body: body
        )
    }

    private var knownMethod: Method {
        Method(rawValue: method)
    }

    private func path(role: Request.Role) throws(CGIRequestError) -> String {
        // lighttpd tells an authorizer no path but the client's own spelling, which is nothing to decide on.
        guard role == .responder else {
            let isTold = !uri.isEmpty || scriptName != .none || pathInfo != .none || documentURI != .none
            guard isTold else { throw CGIRequestError(.noPath) }
            return "/"
        }
        let path: String?
        switch (scriptName, pathInfo, documentURI) {
        case (.text(let script), .text(let info), _):
            path = CGIPath.routed(script, info)
        case (.text(let only), .none, _), (.none, .text(let only), _), (.none, .none, .text(let only)):
            path = CGIPath.routed(only)
        case (.none, .none, .none):
            throw CGIRequestError(.noPath)
        default:
            path = nil
        }
        guard let path else { throw CGIRequestError(.invalidPath) }
        return path
    }

    private mutating func set(_ header: HeaderName, _ value: Span<UInt8>) {
        if headers[header] != nil { headers.remove(header) }
        guard !value.isEmpty else { return }
        // A value that could not stand in a header field is none.
        try? headers.append(header, Self.text(value))
    }

    /// An empty value says as little as none: nginx passes parameters that are not set.
    private static func strict(_ bytes: Span<UInt8>) -> Strict {
        guard !bytes.isEmpty else { return .none }
        guard let text = try? UTF8Span(validating: bytes) else { return .invalid }
        return .text(String(copying: text))
    }

    private static func text(_ bytes: Span<UInt8>) -> String {
        if let text = try? UTF8Span(validating: bytes) { return String(copying: text) }
        // unsafe because a span lends its bytes as a pointer; they are copied before the call ends.
        return unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

/// Why meta-variables make no request.
struct CGIRequestError: Error, Equatable {
    let reason: ServerEvent.Rejection

    init(_ reason: ServerEvent.Rejection) {
        self.reason = reason
    }
}
