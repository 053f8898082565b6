import Encoding
import HTTP

/// Builds a request from CGI meta-variables (RFC 3875 §4.1), without I/O.
///
/// If a name occurs several times, the last value counts, as nginx intends for a `fastcgi_param` after an included file.
/// But every `HTTP_COOKIE` counts, because nginx before 1.23 passes each `Cookie` field separately. Bytes that are not
/// UTF-8 become U+FFFD, except in a path, which is then rejected.
struct CGIRequest {
    /// A value that must be as the web server sent it: bytes that are not UTF-8 make it invalid.
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
    /// The number that the web server gave the request; nil if it passes none.
    private(set) var id: RequestID?
    private var cookies: [String] = []
    private var headers = Headers()
    /// The numbers of the header fields that were sent, as bits.
    private var known: UInt64 = 0
    private var serverParameters = ServerParameters()
    /// Whether any field announces a body: a client can make several variables of one name.
    private var announcesBody = false

    /// Adds one variable, written `NAME=value`.
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
        case .requestID: id = RequestID(digits: value)
        case .cookie: if !value.isEmpty { cookies.append(Self.text(value)) }
        case .header(let header, let number): set(header, number, value)
        // Every other value is for the application behind the guard.
        case .authorization: set(.authorization, 63, PersonalTokenField.matches(value) ? value : value.extracting(..<0))
        case .bodyLength: if value.hasByte(other: UInt8(ascii: "0")) { announcesBody = true }
        case .bodyCoding: if !value.isEmpty { announcesBody = true }
        case .action: serverParameters.action = Self.text(value)
        case .requirement: serverParameters.requirement = Self.text(value)
        case .server: serverParameters[Self.text(name)] = Self.text(value)
        case nil: break
        }
    }

    /// Returns the request; `id` is its number unless the web server passes one.
    ///
    /// - Throws: `CGIRequestError` if there is no method, the method is not a token, there is no path, or the path is
    ///   invalid.
    func request(
        id: RequestID,
        role: Request.Role,
        body: [UInt8]
    ) throws(CGIRequestError) -> Request {
        guard !method.isEmpty else { throw CGIRequestError(.noMethod) }
        let method = Method(rawValue: method)
        // The most frequent methods need no check.
        guard method == .get || method == .post || HeaderName(method.rawValue) != nil else {
            throw CGIRequestError(.invalidMethod)
        }
        var request = Request(
            id: self.id ?? id,
            role: role,
            method: method,
            path: try path(role: role),
            query: query,
            uri: uri,
            remoteAddress: remoteAddress,
            cookies: Cookies(cookies),
            headers: headers,
            serverParameters: serverParameters,
            body: body
        )
        request.mayHaveBody = announcesBody
        return request
    }

    /// Adds the field `Authorization` if the request is one that may have it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: The path whose POST requests may have the field; nil for none.
    ///   - forEachVariable: Passes all variables of the request.
    static func addAuthorization(
        to request: inout Request,
        at path: String?,
        _ forEachVariable: ((Span<UInt8>) -> Void) -> Void
    ) {
        guard let path, request.method == .post, request.role == .responder, request.path == path else { return }
        var fields = CGIRequest()
        forEachVariable { variable in
            guard variable.count > authorization.count else { return }
            for index in authorization.indices where variable[index] != authorization[index] { return }
            fields.set(.authorization, 63, variable.extracting(authorization.count...))
        }
        guard let value = fields.headers[.authorization] else { return }
        // The value was accepted for a header field above.
        try? request.headers.set(.authorization, value)
    }

    private static let authorization = Array("HTTP_AUTHORIZATION=".utf8)

    /// Adds the names of all variables if the request is one that may be described.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: The path whose POST requests may be described; nil for none.
    ///   - forEachVariable: Passes all variables of the request.
    static func countVariables(
        of request: inout Request,
        at path: String?,
        _ forEachVariable: ((Span<UInt8>) -> Void) -> Void
    ) {
        guard let path, request.method == .post, request.role == .responder, request.path == path else { return }
        var counts: [String: Int] = [:]
        forEachVariable { variable in
            var length = 0
            while length < variable.count, variable[length] != UInt8(ascii: "=") { length += 1 }
            counts[text(variable.extracting(..<length)), default: 0] += 1
        }
        request.variableCounts = counts
    }

    private func path(role: Request.Role) throws(CGIRequestError) -> String {
        // lighttpd passes to an authorizer only the path as the client spelled it, and no decision may depend on that.
        guard role == .responder else {
            let hasPath = !uri.isEmpty || scriptName != .none || pathInfo != .none || documentURI != .none
            guard hasPath else { throw CGIRequestError(.noPath) }
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
        case (.invalid, _, _), (_, .invalid, _), (.none, .none, .invalid):
            path = nil
        }
        guard let path else { throw CGIRequestError(.invalidPath) }
        return path
    }

    /// - Parameters:
    ///   - header: The name of the field.
    ///   - number: Distinguishes the fields that are read, less than 64.
    ///   - value: The value as sent; an empty one removes the field.
    private mutating func set(_ header: HeaderName, _ number: Int, _ value: Span<UInt8>) {
        // Nearly every field is sent once, and comparing names with all others would cost more than copying the value.
        if known & 1 << number != 0 { headers.remove(header) }
        known |= 1 << number
        guard !value.isEmpty else { return }
        // Ignores a value that is not allowed in a header field.
        try? headers.append(header, Self.text(value))
    }

    /// Ignores an empty value, because nginx also passes parameters that are not set.
    private static func strict(_ bytes: Span<UInt8>) -> Strict {
        guard !bytes.isEmpty else { return .none }
        guard let text = try? UTF8Span(validating: bytes) else { return .invalid }
        return .text(String(copying: text))
    }

    private static func text(_ bytes: Span<UInt8>) -> String {
        guard !bytes.isEmpty else { return "" }
        if let text = try? UTF8Span(validating: bytes) { return String(copying: text) }
        // unsafe because a span gives access to its bytes by a pointer; they are copied during the call.
        return unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

extension Span<UInt8> {
    /// Whether any byte differs from a byte.
    fileprivate func hasByte(other byte: UInt8) -> Bool {
        for index in indices where self[index] != byte { return true }
        return false
    }
}

/// The path that a request is routed by.
enum CGIPath {
    /// Joins the two parts of a path; nil for a control character or a missing leading slash.
    ///
    /// `SCRIPT_NAME` and `PATH_INFO` together are the path (RFC 3875 §4.1.5, §4.1.13); nginx puts all of it in the
    /// first. `DOCUMENT_URI` is nginx's other name for it.
    static func routed(_ first: String, _ second: String = "") -> String? {
        let path = second.isEmpty ? first : first + second
        let isValid = path.utf8.first == UInt8(ascii: "/") && path.hasOnly { !$0.isASCIIControl }
        return isValid ? path : nil
    }
}

/// Why meta-variables are not a request.
struct CGIRequestError: Error, Equatable {
    let reason: ServerEvent.Rejection

    init(_ reason: ServerEvent.Rejection) {
        self.reason = reason
    }
}

/// The meta-variables that are read (RFC 3875 §4.1); others are not copied.
enum CGIVariable {
    case method
    case scriptName
    case pathInfo
    case documentURI
    case requestURI
    case query
    case remoteAddress
    /// The web server's number of the request, which only its configuration can set.
    case requestID
    case cookie
    case authorization
    /// The number of bytes in the body, from the web server or the client.
    case bodyLength
    /// A body without a length (RFC 9112 §6.1).
    case bodyCoding
    /// A header field, and its position among those that are read.
    case header(HeaderName, number: Int)
    case action
    case requirement
    /// Another variable that only the configuration of the web server can set.
    case server

    private struct Entry {
        let name: [UInt8]
        let variable: CGIVariable
    }

    private static let serverPrefix = Array("SIGNIN_".utf8)

    /// The names, by their lengths.
    private static let table: [[Entry]] = {
        var entries: [(String, CGIVariable)] = [
            ("REQUEST_METHOD", .method), ("SCRIPT_NAME", .scriptName), ("PATH_INFO", .pathInfo),
            ("DOCUMENT_URI", .documentURI), ("REQUEST_URI", .requestURI), ("QUERY_STRING", .query),
            ("REMOTE_ADDR", .remoteAddress), ("SIGNIN_REQUEST_ID", .requestID), ("HTTP_COOKIE", .cookie),
            ("HTTP_AUTHORIZATION", .authorization), ("CONTENT_LENGTH", .bodyLength),
            ("HTTP_CONTENT_LENGTH", .bodyLength), ("HTTP_TRANSFER_ENCODING", .bodyCoding),
            (ServerParameters.actionName, .action),
            (ServerParameters.requirementName, .requirement),
        ]
        for (number, header) in Request.readHeaders.enumerated() {
            let name = String(header.description.uppercased().map { $0 == "-" ? "_" : $0 })
            // CGI passes this field without the prefix (RFC 3875 §4.1.3).
            entries.append((header == .contentType ? name : "HTTP_" + name, .header(header, number: number)))
        }
        var table: [[Entry]] = []
        for (name, variable) in entries {
            while table.count <= name.utf8.count { table.append([]) }
            table[name.utf8.count].append(Entry(name: Array(name.utf8), variable: variable))
        }
        return table
    }()

    /// Finds the variable of a name; nil for a name that is not read.
    init?(name: Span<UInt8>) {
        if name.count < Self.table.count {
            for entry in Self.table[name.count] where Self.isEqual(name, entry.name) {
                self = entry.variable
                return
            }
        }
        guard name.count > Self.serverPrefix.count,
            Self.isEqual(name.extracting(..<Self.serverPrefix.count), Self.serverPrefix)
        else { return nil }
        self = .server
    }

    private static func isEqual(_ name: Span<UInt8>, _ other: [UInt8]) -> Bool {
        // From the end, where names of the same length differ most.
        var index = name.count
        while index > 0 {
            index -= 1
            if name[index] != other[index] { return false }
        }
        return true
    }
}
