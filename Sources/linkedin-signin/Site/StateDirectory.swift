import Diagnosis
import Encoding
import POSIX
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
    static func findings(_ sources: SettingSources, of service: SiteService?) -> Report {
        guard let path = sources.value(Setting.stateDirectory)?.text ?? Setting.stateDirectory.defaultText,
            path.hasPrefix("/")
        else { return Report() }
        let subject = "\(Setting.stateDirectory.name) “\(path)”"
        if let (what, remedy) = foreignOwner(of: path, for: service?.user) {
            return Report(problems: [.init(subject: subject, message: "\(what); \(remedy)")], .storeUnusable)
        }
        let survey = StoreSurvey(directory: resolved(path))
        var report = Report(problems: survey.problems.map { .init(subject: subject, message: $0) }, .storeUnusable)
        report += foreign(path, to: sources.baseURL)
        let notes = notes(survey, path, of: service).map { "\(subject): \($0)" } + spentStates(survey, sources)
        report += Report(.storeNote, notes: notes)
        return report
    }

    /// What is wrong, and what to do, if the directory belongs to another user than the program's.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - user: The user of the program; nil if it is not known.
    /// - Returns: Nil if nothing is wrong, and for a command of another user than root.
    static func foreignOwner(of path: String, for user: ProcessUser?) -> (what: String, remedy: String)? {
        let directory = resolved(path)
        guard User.current.id == 0, let user = user?.user, let owner = (try? FileStatus(path: directory))?.owner,
            owner != user.id
        else { return nil }
        return (
            "belongs to user \(User(id: owner).name), and the program runs as user \(user.name)",
            "run: chown -R \(user.name): \(ShellWord.quoted(directory))"
        )
    }

    /// What depends on who makes the directory and on its owner; nothing if systemd sees to both.
    static func notes(_ survey: StoreSurvey, _ path: String, of service: SiteService?) -> [String] {
        path == service?.stateDirectory ? [] : survey.notes
    }

    /// A problem if the directory belongs to another site; none if this cannot be read, which the survey reports.
    static func foreign(_ path: String, to baseURL: String?) -> Report {
        guard let baseURL else { return Report() }
        let ownership = StoreOwnership(path, directory: resolved(path), database: nil)
        let causes: Set = [Report.otherSite, Report.otherProgram]
        do throws(StoreError) {
            let messages = try ownership.differences(from: baseURL).map { $0.problem(baseURL) }
            let problems = messages.map { ConfigurationError.Problem(subject: Setting.baseURL.name, message: $0) }
            return Report(problems: problems, .storeUnusable, causing: causes)
        } catch {
            guard error.code == .damaged else { return Report() }
            let problem = ConfigurationError.Problem(subject: Setting.stateDirectory.name, message: error.detail)
            return Report(problems: [problem], .storeUnusable, causing: causes)
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
