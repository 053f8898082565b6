extension Language {
    var text: Text {
        switch self {
        case .english: .english
        case .chinese: .chinese
        }
    }

    var problems: ProblemTexts {
        switch self {
        case .english: .english
        case .chinese: .chinese
        }
    }
}
