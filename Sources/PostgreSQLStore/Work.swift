import Sessions

/// What a lane sends as one transaction, and who waits for the answer.
enum Work: Sendable {
    case call(Call)
    case lookUps([RecordLookUp])
    /// What a lane asks for itself.
    case own([Statement])

    var statements: [Statement] {
        switch self {
        case .call(let call): call.statements
        case .lookUps(let lookUps): [RecordLookUp.statement(for: lookUps)]
        case .own(let statements): statements
        }
    }
}
