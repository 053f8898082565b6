/// A claim that the ID token of every member must have, such as the domain of an organization.
package struct ClaimRequirement: Sendable, Equatable {
    let name: String
    private let values: [String]

    /// - Parameters:
    ///   - name: the name of the claim.
    ///   - values: the accepted texts, in lower case; if empty, every text is accepted, but the claim must be there.
    package init(_ name: String, in values: [String]) {
        (self.name, self.values) = (name, values)
    }

    /// Whether the claim is a text that is accepted; letters are compared without case, as in the names of hosts.
    func isMet(by claims: Claims) -> Bool {
        guard let text = claims.text(name, limit: 512) else { return false }
        return values.isEmpty || values.contains(where: text.lowercased().isIdentical)
    }
}
