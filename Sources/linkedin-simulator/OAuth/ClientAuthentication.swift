import struct Foundation.Data

/// Authenticates the client at the token endpoint.
enum ClientAuthentication {
    /// Checks the client's identifier and secret.
    ///
    /// LinkedIn supports only `client_secret_post`. A standard provider also reads HTTP Basic, in which identifier and
    /// secret are form-encoded (RFC 6749 §2.3.1).
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - form: the form of the request.
    /// - Throws: LinkedIn's error for an unknown client.
    static func check(_ request: Request, form: Fields) throws(TokenError) {
        let settings = request.settings
        let (id, secret): (String, String)
        if settings.isStandard, let basic = basicCredentials(request) {
            (id, secret) = basic
        } else {
            guard let formID = form.nonempty("client_id") else { throw .missing("client_id") }
            guard let formSecret = form.nonempty("client_secret") else { throw .missing("client_secret") }
            (id, secret) = (formID, formSecret)
        }
        guard id == settings.clientID else { throw .unknownClient(id) }
        guard secret == settings.clientSecret else { throw .clientAuthentication }
    }

    private static func basicCredentials(_ request: Request) -> (String, String)? {
        guard let header = request.headers["authorization"], header.lowercased().hasPrefix("basic "),
            let bytes = Data(base64Encoded: String(header.dropFirst(6)))
        else { return nil }
        let halves = String(decoding: bytes, as: UTF8.self)
            .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        return (Percent.decode(halves[0], plusIsSpace: true), Percent.decode(halves[1], plusIsSpace: true))
    }
}
