/// A form that a visitor sent before signing in, kept until it can be sent again.
package struct KeptRequest: Sendable, Equatable {
    /// Path and query, as the client spelled them.
    package var uri: String
    package var contentType: String
    /// The page that the form was on, if it was one of this site.
    package var referer: String?
    package var body: [UInt8]

    package init(uri: String, contentType: String, referer: String? = nil, body: [UInt8]) {
        self.uri = uri
        self.contentType = contentType
        self.referer = referer
        self.body = body
    }
}
