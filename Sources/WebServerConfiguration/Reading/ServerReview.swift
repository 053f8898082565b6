import Guard
package import Settings

/// What is to be said of the configuration that a web server runs with, for `check`.
package struct ServerReview: Sendable {
    /// What makes a guard, a log or an identity unsafe.
    package private(set) var problems: [ConfigurationError.Problem] = []
    /// What may be meant so: an operator has to know.
    package private(set) var notes: [ConfigurationError.Problem] = []

    /// What LinkedIn tells of members; nil if that is not known.
    private let product: LinkedInProduct?

    /// - Parameters:
    ///   - text: what `nginx -T` or `lighttpd -pp` prints. Unknown directives are ignored.
    ///   - source: the file that it was read from, for places without a file of their own.
    ///   - server: whose configuration it is.
    ///   - product: what rules have to agree with; nil if that is not known.
    package init(_ text: String, from source: String, of server: WebServer, product: LinkedInProduct? = nil) {
        self.product = product
        switch server {
        case .nginx: NginxReview(text, source: source).add(to: &self)
        case .lighttpd: LighttpdReview(text, source: source).add(to: &self)
        }
    }

    /// - Parameters:
    ///   - place: where it stands.
    ///   - message: what is wrong, why it matters, what to change.
    mutating func complain(_ place: SourcePlace, _ message: String) {
        let problem = ConfigurationError.Problem(subject: place.description, message: message)
        if !problems.contains(problem) { problems.append(problem) }
    }

    mutating func note(_ place: SourcePlace, _ message: String) {
        let note = ConfigurationError.Problem(subject: place.description, message: message)
        if !notes.contains(note) { notes.append(note) }
    }

    /// Judges the rule of a guard, its lists included.
    mutating func judge(rule: String?, at place: SourcePlace, missing: String) {
        guard let rule, !rule.allSatisfy(\.isWhitespace) else { return complain(place, missing) }
        let review = RuleReview(of: rule, product: product)
        for problem in review.problems { complain(place, "\(problem.subject) \(problem.message)") }
        for text in review.notes { note(place, text) }
    }
}
