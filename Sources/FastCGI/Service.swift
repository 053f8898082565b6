import HTTP

/// What a server does with requests; another one can replace it while the server runs.
///
/// A class, because each worker has a reference to it, and copying the options would cost more.
final class Service: Sendable {
    /// Counts the replacements.
    let number: Int
    let options: ServerOptions
    let responder: any Responder

    init(number: Int, _ options: ServerOptions, _ responder: any Responder) {
        (self.number, self.options, self.responder) = (number, options, responder)
    }
}
