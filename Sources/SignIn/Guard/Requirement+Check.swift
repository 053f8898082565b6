extension Requirement {
    /// What is to be said of a rule and of the lists it names, for `check`.
    package struct Review: Sendable {
        /// All that is wrong.
        package let problems: [ConfigurationError.Problem]
        /// What may be as it should.
        package let notes: [String]

        /// - Parameters:
        ///   - rule: as `SIGNIN_REQUIRE` has it.
        ///   - product: what LinkedIn tells of members; nil if that is not known.
        package init(of rule: String, product: LinkedInProduct? = nil) {
            do throws(Invalid) {
                let conditions = try Requirement(rule, lists: MemberLists(log: Log { _ in })).conditions
                let lists = conditions.compactMap(\.list)
                let faults = lists.map(\.fault)
                problems =
                    faults.compactMap { $0.map { Self.problem(rule, $0.description) } }
                    + Self.impossible(conditions, product).map { Self.problem(rule, $0) }
                notes = zip(lists, faults).compactMap { list, fault in
                    guard fault == nil, let path = list.restrictedPath else { return nil }
                    return "\(path) is not for everybody to read: the user that serve runs as must be able to"
                }
            } catch {
                problems = [Self.problem(rule, error.description)]
                notes = []
            }
        }

        /// Why nobody can meet a condition.
        private static func impossible(_ conditions: [Condition], _ product: LinkedInProduct?) -> [String] {
            guard let product, !product.givesVerifiedEmail else { return [] }
            return conditions.compactMap { condition in
                guard case .anyOf(_, let kind) = condition, kind != "subject" else { return nil }
                return
                    "nobody can meet \(kind)=, because \(Setting.product.name)=\(product.rawValue) gives no verified e-mail "
                    + "address: use subject=, or another product"
            }
        }

        private static func problem(_ rule: String, _ message: String) -> ConfigurationError.Problem {
            .init(subject: "SIGNIN_REQUIRE “\(rule)”", message: message)
        }
    }
}
