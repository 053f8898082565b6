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
