/// What happened and what to do next, in words for the visitor.
struct ProblemText: Sendable {
    let title: String
    var happened: String?
    /// Nil where the page's buttons say enough.
    var next: String?
}
