/// What happened and what to do next, for the visitor.
struct ProblemText: Sendable {
    let title: String
    var happened: String?
    /// Nil if the buttons of the page are enough.
    var next: String?
}

extension Problem.Kind {
    /// The key of the title.
    var titleKey: String { "\(rawValue).title" }
    /// The key of the text about what happened.
    var happenedKey: String { "\(rawValue).happened" }
    /// The key of the text about what to do next; a language file may omit it if the buttons of the page are enough.
    var nextKey: String { "\(rawValue).next" }
}
