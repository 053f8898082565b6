package import HTTP
package import OpenID

/// Fetches the discovery document of one provider again and again.
package struct DiscoveryRefresh: Sendable {
    /// Uses a document and its bytes; throws if the document does not have what the settings need.
    package typealias Use = @Sendable (_ document: DiscoveryDocument, _ bytes: [UInt8]) throws(OpenIDError) -> Void

    /// The longest time between two attempts after a failure.
    private static let longestPause = Duration.seconds(60)

    private let issuer: String
    private let address: String
    private let transport: any Transport
    private let interval: Duration
    private let firstPause: Duration

    /// - Parameters:
    ///   - issuer: The issuer that the document must have.
    ///   - address: The address of the document.
    ///   - transport: Sends the requests; it must not follow redirects.
    ///   - interval: The time until the next request after a success.
    ///   - firstPause: The time until the next request after a failure; doubled after each further failure.
    package init(
        issuer: String,
        address: String,
        transport: any Transport,
        interval: Duration = .seconds(3600),
        firstPause: Duration = .seconds(1)
    ) {
        (self.issuer, self.address, self.transport) = (issuer, address, transport)
        (self.interval, self.firstPause) = (interval, firstPause)
    }

    /// Fetches the document immediately and then after each interval, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - use: Gets each document.
    ///   - failed: Gets each failure that differs from the failure before.
    package func run(_ use: Use, failed: @Sendable (OpenIDError) -> Void) async {
        var failure: OpenIDError?
        var pause = firstPause
        while !Task.isCancelled {
            var wait = interval
            do throws(OpenIDError) {
                let (document, bytes) = try await DiscoveryDocument.fetch(issuer: issuer, at: address, by: transport)
                try use(document, bytes)
                (failure, pause) = (nil, firstPause)
            } catch {
                guard !Task.isCancelled else { return }
                if error != failure { failed(error) }
                (failure, wait, pause) = (error, pause, min(pause * 2, Self.longestPause))
            }
            try? await Task.sleep(for: wait)
        }
    }
}
