import Sessions
import SignIn

import struct FoundationEssentials.URL

/// The directory of sessions and server key, as an operator names it.
enum StateDirectory {
    /// The directory behind symbolic links.
    ///
    /// The store follows none, but with systemd's `DynamicUser=` the state directory itself is one, into
    /// `/var/lib/private`; what stands above it is root's to arrange.
    static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// What `serve` would find there; nothing for a path that is none, which the settings complain of.
    static func findings(_ sources: SettingSources) -> Check.Findings {
        guard let path = sources.value(.stateDirectory)?.text ?? Setting.stateDirectory.defaultText,
            path.hasPrefix("/")
        else { return .init() }
        let survey = StoreSurvey(directory: resolved(path))
        let subject = "\(Setting.stateDirectory.name) “\(path)”"
        return .init(
            problems: survey.problems.map { .init(subject: subject, message: $0) },
            notes: survey.notes.map { "\(subject): \($0)" } + spentStates(survey, sources)
        )
    }

    /// How many used sign-ins are remembered, if any or if the disk allows fewer than the setting.
    private static func spentStates(_ survey: StoreSurvey, _ sources: SettingSources) -> [String] {
        let setting = Setting.spentStates
        guard let maximum = Int(sources.value(setting)?.text ?? setting.defaultText ?? "") else { return [] }
        let room = survey.freeFiles.map { SpentStates.limit(maximum, count: survey.spentStates, free: $0) } ?? maximum
        var notes: [String] = []
        if survey.spentStates > 0 {
            notes.append("\(setting.name): \(survey.spentStates) of at most \(room) used sign-ins are remembered")
        }
        if room < maximum {
            notes.append(
                "\(setting.name)=\(maximum): the disk has room for \(survey.freeFiles ?? 0) more files, so at most "
                    + "\(room) used sign-ins are remembered"
            )
        }
        return notes
    }
}
