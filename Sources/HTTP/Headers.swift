import Encoding

/// An ordered list of header fields whose values cannot contain a line break.
///
/// Both nginx and lighttpd split a CGI header block at a bare LF, so a value with one would become a second header. The
/// only functions that add a field check its value, so that callers cannot forget it (RFC 9110 §5.5).
package struct Headers: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        package let name: HeaderName
        package let value: String
    }

    package private(set) var fields: [Field] = []

    package init() {}

    /// The first value of a field, or nil.
    package subscript(name: HeaderName) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// All values of a field, in order.
    package func values(_ name: HeaderName) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// Adds a field after those of the same name.
    ///
    /// - Throws: `InvalidHeaderValue` if the value contains CR, LF, NUL or another control character, except a tab.
    package mutating func append(_ name: HeaderName, _ value: String) throws(InvalidHeaderValue) {
        guard value.hasOnly({ !$0.isASCIIControl || $0 == 0x09 }) else {
            throw InvalidHeaderValue(name: name)
        }
        // Enough for most answers, instead of growing and copying with each field.
        if fields.isEmpty { fields.reserveCapacity(8) }
        fields.append(Field(name: name, value: value))
    }

    /// Replaces all fields of the same name.
    ///
    /// - Throws: `InvalidHeaderValue`, as `append` does; the fields are then unchanged.
    package mutating func set(_ name: HeaderName, _ value: String) throws(InvalidHeaderValue) {
        var changed = Headers()
        changed.fields = fields.filter { $0.name != name }
        try changed.append(name, value)
        self = changed
    }

    /// Removes all fields of a name.
    package mutating func remove(_ name: HeaderName) {
        fields.removeAll { $0.name == name }
    }
}

/// A header value with a forbidden character; names the field and does not contain the value.
package struct InvalidHeaderValue: Error, Equatable {
    package let name: HeaderName
}

/// The name of a header field: a token that keeps its spelling and is compared case-insensitively (RFC 9110 §5.1).
package struct HeaderName: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    private let folded: String

    /// Accepts a token (RFC 9110 §5.6.2); nil for any other text.
    package init?(_ name: String) {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else { return nil }
        self.init(unchecked: name)
    }

    /// Makes a name from a constant; a test checks all of them.
    init(unchecked name: String) {
        description = name
        folded = name.lowercased()
    }

    package static func == (left: HeaderName, right: HeaderName) -> Bool {
        left.folded == right.folded
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(folded)
    }

    /// Whether a byte is allowed in a token (RFC 9110 §5.6.2).
    static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    package static let accept = HeaderName(unchecked: "Accept")
    package static let acceptEncoding = HeaderName(unchecked: "Accept-Encoding")
    package static let acceptLanguage = HeaderName(unchecked: "Accept-Language")
    package static let accessControlRequestMethod = HeaderName(unchecked: "Access-Control-Request-Method")
    package static let allow = HeaderName(unchecked: "Allow")
    package static let authorization = HeaderName(unchecked: "Authorization")
    package static let cacheControl = HeaderName(unchecked: "Cache-Control")
    package static let clearSiteData = HeaderName(unchecked: "Clear-Site-Data")
    package static let connection = HeaderName(unchecked: "Connection")
    package static let contentEncoding = HeaderName(unchecked: "Content-Encoding")
    package static let contentLanguage = HeaderName(unchecked: "Content-Language")
    package static let contentLength = HeaderName(unchecked: "Content-Length")
    package static let contentSecurityPolicy = HeaderName(unchecked: "Content-Security-Policy")
    package static let contentType = HeaderName(unchecked: "Content-Type")
    package static let cookie = HeaderName(unchecked: "Cookie")
    package static let crossOriginResourcePolicy = HeaderName(unchecked: "Cross-Origin-Resource-Policy")
    package static let location = HeaderName(unchecked: "Location")
    package static let origin = HeaderName(unchecked: "Origin")
    package static let purpose = HeaderName(unchecked: "Purpose")
    package static let referer = HeaderName(unchecked: "Referer")
    package static let referrerPolicy = HeaderName(unchecked: "Referrer-Policy")
    package static let retryAfter = HeaderName(unchecked: "Retry-After")
    package static let secFetchDest = HeaderName(unchecked: "Sec-Fetch-Dest")
    package static let secFetchMode = HeaderName(unchecked: "Sec-Fetch-Mode")
    package static let secFetchSite = HeaderName(unchecked: "Sec-Fetch-Site")
    package static let secPurpose = HeaderName(unchecked: "Sec-Purpose")
    package static let setCookie = HeaderName(unchecked: "Set-Cookie")
    package static let transferEncoding = HeaderName(unchecked: "Transfer-Encoding")
    package static let userAgent = HeaderName(unchecked: "User-Agent")
    package static let variableAuthEmail = HeaderName(unchecked: "Variable-AUTH_EMAIL")
    package static let variableAuthName = HeaderName(unchecked: "Variable-AUTH_NAME")
    package static let variableRemoteUser = HeaderName(unchecked: "Variable-REMOTE_USER")
    package static let vary = HeaderName(unchecked: "Vary")
    package static let wwwAuthenticate = HeaderName(unchecked: "WWW-Authenticate")
    package static let xAuthEmail = HeaderName(unchecked: "X-Auth-Email")
    package static let xAuthName = HeaderName(unchecked: "X-Auth-Name")
    package static let xAuthReason = HeaderName(unchecked: "X-Auth-Reason")
    package static let xAuthSubject = HeaderName(unchecked: "X-Auth-Subject")
    package static let xContentTypeOptions = HeaderName(unchecked: "X-Content-Type-Options")
    package static let xForwardedFor = HeaderName(unchecked: "X-Forwarded-For")
    package static let xFrameOptions = HeaderName(unchecked: "X-Frame-Options")
    package static let xHTTPMethod = HeaderName(unchecked: "X-HTTP-Method")
    package static let xHTTPMethodOverride = HeaderName(unchecked: "X-HTTP-Method-Override")
    package static let xMethodOverride = HeaderName(unchecked: "X-Method-Override")
    package static let xRequestedWith = HeaderName(unchecked: "X-Requested-With")
}
