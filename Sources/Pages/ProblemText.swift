/// What happened and what to do next, for the visitor.
struct ProblemText: Sendable {
    let title: String
    var happened: String?
    /// Nil if the buttons of the page are enough.
    var next: String?
}
