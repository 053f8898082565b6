import Sessions

/// One transaction of a lane, and the task that waits for its answer.
enum Work: Sendable {
    case call(Call)
    case lookUps([RecordLookUp])
    /// A question of the lane itself.
    case own([Statement])

    var statements: [Statement] {
        switch self {
        case .call(let call): call.statements
        case .lookUps(let lookUps): [RecordLookUp.statement(for: lookUps)]
        case .own(let statements): statements
        }
    }
}
