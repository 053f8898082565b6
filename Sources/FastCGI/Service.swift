import HTTP

/// What a server does with requests; another one can replace it while the server runs.
///
/// A class, because each worker has a reference to it, and copying the options would cost more.
final class Service: Sendable {
    /// Counts the replacements.
    let number: Int
    let options: ServerOptions
    let handler: Handler
    /// Responds to a request without a task, immediately or later, or leaves it to `handler`.
    let answerAtOnce: @Sendable (Request, any LaterAnswer) -> ImmediateAnswer
    /// The number of the route of a request, by which answers are counted.
    let route: @Sendable (Request) -> Int

    init(
        number: Int,
        _ options: ServerOptions,
        _ handler: @escaping Handler,
        _ answerAtOnce: @escaping @Sendable (Request, any LaterAnswer) -> ImmediateAnswer,
        _ route: @escaping @Sendable (Request) -> Int
    ) {
        self.number = number
        self.options = options
        self.handler = handler
        self.answerAtOnce = answerAtOnce
        self.route = route
    }
}
