import HTTP

/// A request on its way to the loop, with the task that waits for the answer.
struct Call: Sendable {
    typealias Outcome = Result<ClientResponse, TransportError>

    let id: UInt64
    let request: ClientRequest
    let destination: Destination
    let continuation: CheckedContinuation<Outcome, Never>
}
