import struct Foundation.Data

extension Fault {
    /// The answer instead of the right one; nil when the right one is needed.
    func replacement(at endpoint: EndpointName, base: String) -> Response? {
        switch kind {
        case .hang, .close:
            var response = Response(0)
            response.delivery = kind == .hang ? .never : .dropped
            return response
        case .status: return statusAnswer(at: endpoint)
        case .revoked: return APIError.revokedToken.response
        case .redirect:
            var response = Response.redirect(to: "\(base)/elsewhere/\(endpoint.rawValue)")
            response.status = int(.status, default: 302)
            return response
        case .answer: return custom
        case .garbage:
            return Response(
                200,
                headers: ["Content-Type": "application/json"],
                body: .bytes(Array("{\"access_token\": \"".utf8) + [0xFF, 0xFE, 0x00, 0xC0, 0x80] + Array("]]".utf8))
            )
        case .html:
            return .text("<!DOCTYPE html><title>Sorry</title><h1>We'll be back</h1>\n", type: "text/html")
        case .empty: return .text("", type: "application/json")
        default: return nil
        }
    }

    private func statusAnswer(at endpoint: EndpointName) -> Response {
        let status = int(.status, default: 500)
        var response =
            endpoint == .token
            ? TokenError.envelope(for: status) : APIError.envelope(for: status, code: int(.code, default: 0))
        response.headers["Retry-After"] = text(.retryAfter) ?? (status == 429 ? "60" : nil)
        return response
    }

    private var custom: Response {
        let body =
            text(.body64).flatMap { Data(base64Encoded: $0) }.map { Array($0) } ?? Array((text(.body) ?? "").utf8)
        var response = Response(
            int(.status, default: 200),
            headers: ["Content-Type": text(.type) ?? "application/json"],
            body: .bytes(body)
        )
        response.version = text(.version) ?? response.version
        if case .object(let headers) = options[.headers] {
            for header in headers.members {
                for value in header.value.plainList { response.moreHeaders.append(header.name, value) }
            }
        }
        return response
    }
}
