import Synchronization

/// The rules of all locations, each parsed once.
///
/// A slot is filled once and never changes, so that the hot path reads it without a lock. Rules come from the server's
/// configuration, which has a few; past the last slot they are parsed anew each time.
package final class Rules: Sendable {
    package typealias Reading = Result<Requirement, Requirement.Invalid>

    private final class Rule: Sendable {
        let text: String
        let reading: Reading

        init(_ text: String, lists: MemberLists) {
            self.text = text
            reading = Result { () throws(Requirement.Invalid) in try Requirement(text, lists: lists) }
        }
    }

    private final class Slot: Sendable {
        let rule = AtomicLazyReference<Rule>()
    }

    private let slots = (0..<64).map { _ in Slot() }
    private let lists: MemberLists

    package init(lists: MemberLists) {
        self.lists = lists
    }

    /// The rule that a text is.
    package func reading(_ text: String) -> Reading {
        let start = Self.hash(text)
        for step in 0..<slots.count {
            let slot = slots[(start + step) % slots.count]
            guard let rule = slot.rule.load() else {
                let stored = slot.rule.storeIfNil(Rule(text, lists: lists))
                if stored.text == text { return stored.reading }
                continue
            }
            if rule.text == text { return rule.reading }
        }
        return Rule(text, lists: lists).reading
    }

    /// FNV-1a; whoever writes a rule has no reason to make two collide.
    private static func hash(_ text: String) -> Int {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return Int(hash & 63)
    }
}
