import Sessions

/// One transaction of a lane, and the task that waits for its answer.
enum Work: Sendable {
    case call(Call)
    case lookUps([RecordLookUp])
    /// A question of the lane itself.
    case own([Statement])
    /// A proof of the primary that the loop needs before it sends a write.
    case proof

    /// Whether the answer shows that the server acknowledges writes.
    var isProof: Bool {
        switch self {
        case .proof: true
        case .call(let call): call.kind == .watching
        case .lookUps, .own: false
        }
    }

    var statements: [Statement] {
        switch self {
        case .call(let call): call.statements
        case .lookUps(let lookUps): [RecordLookUp.statement(for: lookUps)]
        case .own(let statements): statements
        case .proof: [.proof]
        }
    }
}
