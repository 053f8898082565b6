import Encoding
package import Sessions

/// A claim that applications at guarded locations get.
package struct ApplicationClaim: Sendable, Equatable {
    package let name: ClaimName
    /// The header field for an application on HTTP.
    package let header: String
    /// The parameter for an application on FastCGI or CGI.
    package let parameter: String

    /// The groups of the member, whose fields every printed configuration replaces.
    package static let groups = ApplicationClaim("groups")

    /// - Parameter text: `groups`, or the name of a claim.
    package init(_ text: String) {
        guard text != ClaimName.groups.description else {
            (name, header, parameter) = (.groups, "X-Auth-Groups", "AUTH_GROUPS")
            return
        }
        let word = String(decoding: text.utf8.map { $0.isASCIIAlphanumeric ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
        name = .named(text)
        header = "X-Auth-Claim-" + word
        parameter = "AUTH_CLAIM_" + word.uppercased().replacing("-", with: "_")
    }
}
