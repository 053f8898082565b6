import FlyingFox
import FlyingSocks

import struct Foundation.Data

extension HTTPResponse {
    /// Converts an answer for the server; without the body if the request was HEAD.
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
        case .chunked: body = HTTPBodySequence(from: PacedBytes(bytes: bytes, step: 16_384))
        case .unfinishedChunks: body = HTTPBodySequence(from: PacedBytes(bytes: bytes, step: 16_384, breaksOff: true))
        case .dripped(let pause):
            body = HTTPBodySequence(from: PacedBytes(bytes: bytes, step: 1, pause: pause), count: bytes.count)
        case .overstated(let excess):
            body = HTTPBodySequence(
                from: PacedBytes(bytes: bytes, step: 16_384, breaksOff: true),
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

/// A body that is sent in steps, with a pause before each, and that may end without a proper end.
struct PacedBytes: AsyncBufferedSequence {
    struct BrokenOff: Error {}

    let bytes: [UInt8]
    let step: Int
    var pause = Duration.zero
    var breaksOff = false

    func makeAsyncIterator() -> Iterator {
        Iterator(body: self, rest: bytes[...])
    }

    struct Iterator: AsyncBufferedIteratorProtocol {
        let body: PacedBytes
        var rest: ArraySlice<UInt8>

        mutating func next() async throws -> UInt8? {
            rest.popFirst()
        }

        mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
            guard !rest.isEmpty else {
                if body.breaksOff { throw BrokenOff() }
                return nil
            }
            if body.pause > .zero { try await Task.sleep(for: body.pause) }
            let next = rest.prefix(body.step)
            rest = rest.dropFirst(body.step)
            return next
        }
    }
}

/// Ends a connection without sending a byte.
///
/// The server writes the header of an ordinary answer before it reads the body. For an upgrade it first asks for the
/// frames, so an upgrade that throws here sends nothing.
struct Unanswered: WSHandler {
    struct Ended: Error {}

    /// Whether the connection stays open until the client closes it.
    let waitsForClient: Bool

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        if waitsForClient {
            for try await _ in client {}
        }
        throw Ended()
    }
}
