/// Answers requests: the one point where a site meets its transport.
package protocol Responder: AnyObject, Sendable {
    /// Answers a request; if it throws, the transport denies the request with 500, in every role.
    func respond(to request: Request) async throws -> Response

    /// Answers a request without a task, immediately or later, or leaves it to `respond`, which costs a task.
    func respondAtOnce(to request: Request, or later: any LaterAnswer) -> ImmediateAnswer

    /// The number of the route of a request, from 0 to 30, by which answers are counted; 31 stands for requests that the
    /// responder does not see.
    ///
    /// It must neither wait nor allocate.
    func route(of request: Request) -> Int
}

/// What a handler does with a request without a task.
package enum ImmediateAnswer: Sendable {
    case now(Response)
    /// The `LaterAnswer` of the request gets it.
    case later
    /// Only a task can answer.
    case needsTask
}

/// Takes the answer to one request, for a handler that waits without a task.
package protocol LaterAnswer: AnyObject, Sendable {
    /// Gives the answer, from any thread, exactly once.
    ///
    /// - Parameter make: Makes the answer, on a thread of the server; it must not wait.
    func give(_ make: @escaping @Sendable () -> Response)
}
