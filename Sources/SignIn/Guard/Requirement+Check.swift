extension Requirement {
    /// What is to be said of a rule and of the lists it names, for `check`.
    package struct Review: Sendable {
        /// All that is wrong.
        package let problems: [ConfigurationError.Problem]
        /// What may be as it should.
        package let notes: [String]

        /// - Parameter rule: as `SIGNIN_REQUIRE` has it.
        package init(of rule: String) {
            do throws(Invalid) {
                let lists = try Requirement(rule, lists: MemberLists(log: Log { _ in })).conditions.compactMap(\.list)
                let faults = lists.map(\.fault)
                problems = faults.compactMap { $0.map { Self.problem(rule, $0.description) } }
                notes = zip(lists, faults).compactMap { list, fault in
                    guard fault == nil, let path = list.restrictedPath else { return nil }
                    return "\(path) is not for everybody to read: the user that serve runs as must be able to"
                }
            } catch {
                problems = [Self.problem(rule, error.description)]
                notes = []
            }
        }

        private static func problem(_ rule: String, _ message: String) -> ConfigurationError.Problem {
            .init(subject: "SIGNIN_REQUIRE “\(rule)”", message: message)
        }
    }
}
