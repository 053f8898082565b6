import Sessions
import Settings
import SignIn

import struct FoundationEssentials.URL

/// The state directory, with the path that the operator configured.
enum StateDirectory {
    /// Resolves symbolic links.
    ///
    /// The store does not follow links, but with systemd's `DynamicUser=` the state directory is a link into
    /// `/var/lib/private`. Only root can change the directories above it.
    static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// Problems and notes about the directory; none for an invalid path, which the settings report.
    static func findings(_ sources: SettingSources) -> Check.Findings {
        guard let path = sources.value(.stateDirectory)?.text ?? Setting.stateDirectory.defaultText,
            path.hasPrefix("/")
        else { return .init() }
        let survey = StoreSurvey(directory: resolved(path))
        let subject = "\(Setting.stateDirectory.name) “\(path)”"
        return .init(
            problems: survey.problems.map { .init(subject: subject, message: $0) }
                + foreign(path, to: sources.baseURL),
            notes: survey.notes.map { "\(subject): \($0)" } + spentStates(survey, sources)
        )
    }

    /// A problem if the directory belongs to another site; none if this cannot be read, which the survey reports.
    static func foreign(_ path: String, to baseURL: String?) -> [ConfigurationError.Problem] {
        guard let baseURL else { return [] }
        let ownership = StoreOwnership(path, directory: resolved(path), database: nil)
        do throws(StoreError) {
            return try ownership.differences(from: baseURL).map {
                .init(subject: Setting.baseURL.name, message: $0.problem(baseURL))
            }
        } catch {
            guard error.code == .damaged else { return [] }
            return [.init(subject: Setting.stateDirectory.name, message: error.detail)]
        }
    }

    /// The number of remembered used sign-ins, if any; and a note if the disk has room for fewer than the setting.
    private static func spentStates(_ survey: StoreSurvey, _ sources: SettingSources) -> [String] {
        let setting = Setting.spentStates
        guard let maximum = Int(sources.value(setting)?.text ?? setting.defaultText ?? "") else { return [] }
        let room = survey.freeFiles.map { SpentLedger.limit(maximum, count: survey.spentStates, free: $0) } ?? maximum
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
