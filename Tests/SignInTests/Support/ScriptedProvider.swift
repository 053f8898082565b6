import HTTP
import Synchronization

/// A provider in the test process; it answers the token endpoint and `v2/me` for a code and a token that name a member.
///
/// Several providers of one site are several hosts.
///
/// It replaces the transport, so that thousands of sign-ins are fast and a fault is one line. The system tests use
/// real HTTP.
final class ScriptedProvider: Transport {
    static let tokenEndpoint = "https://provider.example/token"
    static let profileEndpoint = "https://provider.example/me"
    static let introspectionEndpoint = "https://provider.example/introspect"

    typealias Answer = @Sendable (ClientRequest) throws(TransportError) -> ClientResponse?

    private struct State {
        var requests: [ClientRequest] = []
        var override: Answer?
    }

    private let state = Mutex(State())

    /// Replaces the usual answer to a request unless it returns nil.
    func answer(with override: @escaping Answer) {
        state.withLock { $0.override = override }
    }

    func requests(to url: String) -> [ClientRequest] {
        state.withLock { $0.requests.filter { $0.url == url } }
    }

    func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
        let override = state.withLock { state in
            state.requests.append(request)
            return state.override
        }
        if let response = try override?(request) { return response }
        return switch request.url.split(separator: "/").last {
        case "token": Self.token(for: request)
        case "me": Self.profile(for: request)
        case "introspect": Self.description(for: request)
        default: ClientResponse(status: 404)
        }
    }

    /// Returns the token `token-of-N` for the code `code-of-N`.
    private static func token(for request: ClientRequest) -> ClientResponse {
        let form = FormData(parsing: String(decoding: request.body, as: UTF8.self))
        guard case .one(let code)? = form?["code"], code.hasPrefix("code-of-") else {
            return json(400, #"{"error":"invalid_grant"}"#)
        }
        return json(200, #"{"access_token":"token-of-\#(code.dropFirst(8))","expires_in":5184000}"#)
    }

    /// Describes the token `token-of-N` as the client's own.
    private static func description(for request: ClientRequest) -> ClientResponse {
        let form = FormData(parsing: String(decoding: request.body, as: UTF8.self))
        guard case .one(let token)? = form?["token"], token.hasPrefix("token-of-") else {
            return json(200, #"{"active":false}"#)
        }
        let body = #"{"active":true,"client_id":"client","status":"active","scope":"r_basicprofile","auth_type":"3L"}"#
        return json(200, body)
    }

    private static func profile(for request: ClientRequest) -> ClientResponse {
        guard let token = request.headers[.authorization], token.hasPrefix("Bearer token-of-") else {
            return json(401, #"{"status":401,"serviceErrorCode":65600}"#)
        }
        let member = token.dropFirst(16)
        return json(200, #"{"id":"\#(member)","vanityName":"vanity-\#(member)"}"#)
    }

    static func json(_ status: Int, _ body: String) -> ClientResponse {
        var response = ClientResponse(status: status, body: [UInt8](body.utf8))
        try? response.headers.append(.contentType, "application/json")
        return response
    }
}
