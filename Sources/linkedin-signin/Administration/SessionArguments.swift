import ArgumentParser
import Encoding
import Sessions

import struct FoundationEssentials.Date

/// The ID of a session, or the first digits of it.
struct SessionIDPrefix: ExpressibleByArgument {
    /// 4 to 32 lower-case hexadecimal digits.
    let digits: String
    /// The part of the store that has the session.
    let shard: Int

    init?(argument: String) {
        digits = argument.lowercased()
        guard 4...32 ~= digits.utf8.count, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let first = Int(digits.prefix(2), radix: 16)
        else { return nil }
        shard = first
    }
}

/// A time such as 90s, 15m, 2h or 30d.
struct Age: ExpressibleByArgument {
    let seconds: Double

    init?(argument: String) {
        guard let seconds = Quantity.seconds(argument) else { return nil }
        self.seconds = Double(seconds)
    }
}

/// The subject of a member.
struct Subject: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }
}

/// The e-mail address of a member.
struct Address: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        guard argument.contains("@") else { return nil }
        text = argument
    }
}

/// Which sessions a command shows; all of the options that are given must be true.
///
/// `StoredMembers` finds the members.
struct SessionFilter: ParsableArguments {
    @OptionGroup var member: MemberOptions

    @Option(help: ArgumentHelp("Only sessions older than this: 90s, 15m, 2h, 30d.", valueName: "time"))
    var olderThan: Age?

    @Option(help: ArgumentHelp("Only sessions younger than this.", valueName: "time"))
    var newerThan: Age?

    @Option(help: ArgumentHelp("Only sessions without a request for this long.", valueName: "time"))
    var unusedFor: Age?

    @Option(help: ArgumentHelp("Only sessions whose last request is not older than this.", valueName: "time"))
    var usedWithin: Age?

    func admits(_ session: ListedSession, now: Date) -> Bool {
        let (age, idle) = (now.timeIntervalSince(session.created), now.timeIntervalSince(session.used))
        return olderThan.map { age > $0.seconds } ?? true
            && newerThan.map { age <= $0.seconds } ?? true
            && unusedFor.map { idle > $0.seconds } ?? true
            && usedWithin.map { idle <= $0.seconds } ?? true
    }
}
