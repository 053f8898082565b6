import FlyingFox

import struct Foundation.Data

extension HTTPResponse {
    /// The server's form of an answer; without its body when it answers HEAD.
    init(_ response: Response, toHead: Bool) {
        let bytes = response.bytes
        let body: HTTPBodySequence
        switch response.delivery {
        case .never:
            self.init(webSocket: Unanswered(waitsForClient: true))
            return
        case .dropped:
            self.init(webSocket: Unanswered(waitsForClient: false))
            return
        case .whole: body = HTTPBodySequence(data: toHead ? Data() : Data(bytes), suggestedBufferSize: 65_536)
        case .chunked: body = HTTPBodySequence(from: PacedBytes(bytes, step: 16_384))
        case .unfinishedChunks: body = HTTPBodySequence(from: PacedBytes(bytes, step: 16_384, breaksOff: true))
        case .dripped(let pause):
            body = HTTPBodySequence(from: PacedBytes(bytes, step: 1, pause: pause), count: bytes.count)
        case .overstated(let excess):
            body = HTTPBodySequence(
                from: PacedBytes(bytes, step: 16_384, breaksOff: true),
                count: bytes.count + excess
            )
        }
        var headers = HTTPHeaders(
            Dictionary(uniqueKeysWithValues: response.headers.map { (HTTPHeader($0.key), $0.value) })
        )
        for field in response.moreHeaders.all { headers.addValue(field.value, for: HTTPHeader(field.name)) }
        if toHead { headers[.contentLength] = String(bytes.count) }
        self.init(
            version: HTTPVersion(response.version),
            statusCode: HTTPStatusCode(response.status),
            headers: headers,
            body: body
        )
    }
}

extension HTTPStatusCode {
    private static let known: [HTTPStatusCode] = [
        .ok, .noContent, .partialContent, .movedPermanently, .found, .seeOther, .notModified, .temporaryRedirect,
        .permanentRedirect, .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed, .requestTimeout,
        .gone, .upgradeRequired, .tooManyRequests, .internalServerError, .badGateway, .serviceUnavailable,
        .gatewayTimeout,
    ]

    fileprivate init(_ code: Int) {
        self = Self.known.first { $0.code == code } ?? HTTPStatusCode(code, phrase: "Status \(code)")
    }
}
