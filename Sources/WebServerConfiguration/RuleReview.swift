import Encoding
import EventLog
import Guard
import Provider
import Sessions
package import Settings

/// What `check` reports about a rule and about the lists that it names.
package struct RuleReview: Sendable {
    /// Something that is wrong with the rule or a list.
    package struct Fault: Sendable {
        package let problem: ConfigurationError.Problem
        /// The list that the user of the command may not read; nil for another fault.
        package var deniedList: String?
        /// The list that every user can write; nil for another fault.
        package var exposedList: String?
    }

    package let faults: [Fault]
    package var problems: [ConfigurationError.Problem] { faults.map(\.problem) }
    /// The conditions that nobody can meet with these settings.
    package let impossible: [ConfigurationError.Problem]
    /// What lets people in whom the operator may not mean.
    package let warnings: [String]
    /// Facts that may be intended, but that an operator must know.
    package let notes: [String]

    /// - Parameters:
    ///   - rule: A rule, as `SIGNIN_REQUIRE` has it.
    ///   - settings: The settings for which the rule is reviewed.
    package init(of rule: String, settings: RuleSettings = RuleSettings()) {
        do throws(Requirement.Invalid) {
            let requirement = try Requirement(rule, lists: MemberLists(of: settings.provider, log: Log { _ in }))
            let conditions = requirement.conditions
            let lists = conditions.compactMap(\.list)
            let hidden = lists.map { settings.service?.messageAboutHidden($0.path) }
            let review = ConditionReview(of: conditions, settings)
            let effects = review.effects
            warnings = review.warnings
            impossible = effects.filter(\.isProblem).map { Self.problem(rule, Advice($0.text)) }
            faults =
                zip(lists, hidden).compactMap { Self.fault(rule, of: $0, hidden: $1, settings) }
                + impossible.map { Fault(problem: $0) }
            notes =
                zip(lists, hidden).compactMap { list, hidden in
                    Self.note(of: list, isUsed: hidden == nil && list.fault == nil, settings)
                } + effects.filter { !$0.isProblem }.map(\.text)
                + [Self.effect(of: requirement.maximumAge, settings.sessionLifetime)].compactMap(\.self)
        } catch {
            faults = [Fault(problem: Self.problem(rule, Advice(error.description)))]
            (impossible, warnings, notes) = ([], [], [])
        }
    }

    private static func fault(
        _ rule: String,
        of list: MemberList,
        hidden: Advice?,
        _ settings: RuleSettings
    ) -> Fault? {
        guard !list.isDenied || !settings.isOfOtherSite else { return nil }
        if let hidden { return Fault(problem: problem(rule, hidden)) }
        guard let fault = list.fault else { return nil }
        guard list.isDenied else {
            return Fault(problem: problem(rule, fault), exposedList: list.isExposed ? list.path : nil)
        }
        let advice = settings.readsAsService ? denial(of: list.path) ?? fault : Advice(fault.what, "use sudo")
        return Fault(problem: problem(rule, advice), deniedList: list.path)
    }

    /// Why the user of the service cannot read a list, and the command that changes it; nil if this user can.
    private static func denial(of path: String) -> Advice? {
        do throws(OperatorFile.Unusable) {
            _ = try OperatorFile(path)
            return nil
        } catch {
            let advice = error.advice
            return Advice("cannot read \(path): it \(advice.what)", advice.remedy, denial: advice.denial)
        }
    }

    private static func note(of list: MemberList, isUsed: Bool, _ settings: RuleSettings) -> String? {
        if isUsed {
            guard !settings.readsAsService, let path = list.restrictedPath else { return nil }
            return "\(path) is not readable for every user: the user that serve runs as must be able to read the list"
        }
        guard list.isDenied, settings.isOfOtherSite else { return nil }
        return
            "check did not read the list \(list.path), which a guard of another site uses and this command may not read: to check "
            + "this list, run linkedin-signin check with --site and the name of that site"
    }

    /// How the end of all sessions changes the effect of `signed-in-within=`; nil if it does not.
    private static func effect(of maximumAge: Int?, _ sessionLifetime: Int?) -> String? {
        guard let maximumAge, let sessionLifetime, maximumAge >= sessionLifetime else { return nil }
        let setting = Setting.sessionLifetime.name
        return "signed-in-within= has no effect, because \(setting) ends every session after \(sessionLifetime) seconds"
    }

    private static func problem(_ rule: String, _ advice: Advice) -> ConfigurationError.Problem {
        .init(subject: "SIGNIN_REQUIRE “\(rule)”", advice)
    }
}

extension RuleSettings {
    /// Whose members rules can name.
    var provider: MemberProvider {
        guard usesLinkedIn, let product, let providers else { return .other }
        return .linkedIn(byAddress: product.identifiesByAddress, withOthers: providers.count > 1)
    }
}
