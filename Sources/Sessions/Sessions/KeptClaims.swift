/// The name of a claim in a rule and in the settings.
package enum ClaimName: Sendable, Hashable, CustomStringConvertible {
    /// The claim with the groups of a member, whatever the provider calls it.
    case groups
    /// A claim by its own name; a dot can lead into a nested object.
    case named(String)

    package var description: String {
        switch self {
        case .groups: "groups"
        case .named(let name): name
        }
    }

    /// Whether a text can name a claim: 1 to 128 characters of ASCII that need no quotes in a rule.
    package static func isName(_ text: some StringProtocol) -> Bool {
        1...128 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7e ~= $0 && !#""'\$`{};,=%"#.utf8.contains($0) }
    }
}

/// Why the value of a kept claim cannot be used.
package enum ClaimFault: UInt8, Sendable {
    case absent = 1
    /// The claim is neither text, whole number nor truth value, nor a list of these.
    case type = 2
    case tooLarge = 3
    /// The provider names another place for the value (OpenID Connect Core §5.6.2), as Microsoft does for many groups.
    case distributed = 4
}

/// The claims of a member that the settings name, as of the sign-in.
///
/// A claim that the provider did not send is among them with its fault. All are one array of bytes, in which a check finds
/// a value without further allocations:
///
/// ```
/// state (1)  length (4) name  length (4) values, each with its length (4)
/// ```
package struct KeptClaims: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        case values([String])
        case unusable(ClaimFault)
    }

    /// How a claim compares with the values of a rule.
    package enum Comparison: Sendable, Equatable {
        case equal
        case different
        case unusable(ClaimFault)
        /// The settings did not name the claim when the member signed in.
        case notKept
    }

    /// The maximum size of the values of a claim, in bytes.
    package static let claimLimit = 8_192
    /// The maximum number of values of a claim.
    package static let valueLimit = 256
    /// The maximum size of all values of a member, in bytes.
    package static let totalLimit = 16_384

    /// The claim with the provider's session, which the program keeps for sign-outs at the provider, whatever the settings
    /// name.
    package static let session = "sid"

    private static let groupsMark: UInt8 = 0x80

    /// The claims as in a record.
    let bytes: [UInt8]

    /// Keeps claims, if there are any; those that exceed a limit count as too large.
    ///
    /// - Parameters:
    ///   - claims: The claims; each has a name of its own.
    ///   - groups: The name of the claim with the groups.
    package init?(_ claims: [(name: String, content: Content)], groups: String?) {
        guard !claims.isEmpty else { return nil }
        var (writer, total) = (RecordWriter(), 0)
        for (name, content) in claims {
            var (state, values) = (0 as UInt8, RecordWriter())
            switch content {
            case .unusable(let fault): state = fault.rawValue
            case .values(let texts):
                let size = texts.reduce(0) { $0 + $1.utf8.count }
                if texts.count > Self.valueLimit || size > Self.claimLimit || total + size > Self.totalLimit {
                    state = ClaimFault.tooLarge.rawValue
                } else {
                    total += size
                    for text in texts { values.append(text) }
                }
            }
            writer.append(name == groups ? state | Self.groupsMark : state)
            writer.append(name)
            writer.append(sized: values.bytes)
        }
        bytes = writer.bytes
    }

    /// Nil unless the bytes of a record are claims.
    init?(stored bytes: [UInt8]) {
        var reader = RecordReader(bytes)
        repeat {
            guard let state = reader.integer(UInt8.self).map({ $0 & ~Self.groupsMark }),
                state == 0 || ClaimFault(rawValue: state) != nil,
                reader.text({ _ in true }) != nil, var values = reader.parts()
            else { return nil }
            while !values.isAtEnd { guard values.text({ _ in true }) != nil else { return nil } }
        } while !reader.isAtEnd
        self.bytes = bytes
    }

    /// Compares a claim with texts, byte by byte; one equal value is enough.
    package func compare(_ claim: ClaimName, with texts: [String]) -> Comparison {
        guard case (let fault, var values)? = find(claim) else { return .notKept }
        if let fault { return .unusable(fault) }
        while !values.isAtEnd {
            for text in texts {
                var value = values
                if value.matches(text) ?? false { return .equal }
            }
            guard values.skipBytes() else { break }
        }
        return .different
    }

    /// The values of a claim, or why there are none; nil if the claim is not kept.
    package func content(of claim: ClaimName) -> Content? {
        guard case (let fault, var values)? = find(claim) else { return nil }
        if let fault { return .unusable(fault) }
        var texts: [String] = []
        while let text = values.string() { texts.append(text) }
        return .values(texts)
    }

    /// These claims without those that settings no longer name; the groups are those of the claim that settings name now.
    ///
    /// The provider's session stays unless another claim goes.
    ///
    /// - Parameters:
    ///   - names: The names in the settings.
    ///   - groups: The name of the claim with the groups, which is one of them.
    /// - Returns: Nil if no claim is left.
    package func limited(to names: [String], groups: String?) -> KeptClaims? {
        guard !areLimited(to: names, groups: groups) else { return self }
        return KeptClaims(
            names.compactMap { name in content(of: .named(name)).map { (name, $0) } },
            groups: groups
        )
    }

    /// Nearly always true, so it allocates nothing.
    private func areLimited(to names: [String], groups: String?) -> Bool {
        var reader = RecordReader(bytes)
        while let state = reader.integer(UInt8.self) {
            let name = names.first { name in
                var stored = reader
                return stored.matches(name) ?? false
            }
            let isKept =
                if let name { (state & Self.groupsMark != 0) == (name == groups) } else { reader.isAtSession }
            guard isKept, reader.skipBytes(), reader.skipBytes() else { return false }
        }
        return true
    }

    private func find(_ claim: ClaimName) -> (fault: ClaimFault?, values: RecordReader)? {
        var reader = RecordReader(bytes)
        while let state = reader.integer(UInt8.self) {
            let isWanted: Bool
            switch claim {
            case .groups: isWanted = reader.skipBytes() && state & Self.groupsMark != 0
            case .named(let name): isWanted = reader.matches(name) ?? false
            }
            guard let values = reader.parts() else { return nil }
            if isWanted { return (ClaimFault(rawValue: state & ~Self.groupsMark), values) }
        }
        return nil
    }
}

extension RecordReader {
    /// Whether the next text is the name of the claim with the provider's session.
    fileprivate var isAtSession: Bool {
        var copy = self
        return copy.matches(KeptClaims.session) ?? false
    }

    mutating func claims() -> KeptClaims? { bytes().flatMap(KeptClaims.init(stored:)) }
}
