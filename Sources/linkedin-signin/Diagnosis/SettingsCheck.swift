import Diagnosis
import EventLog
import Guard
import POSIX
import Pages
import Provider
import Sessions
import Settings
import WebServerConfiguration

import struct FoundationEssentials.Date
import class FoundationEssentials.FileManager
import struct FoundationEssentials.URL

/// What `doctor` finds in files: the same as `check`, with codes.
enum SettingsCheck {
    /// Findings about valid settings.
    static func settings(_ configuration: Configuration) -> Report {
        var report = Report()
        do throws(ConfigurationError) {
            _ = try PageRenderer(configuration)
            report += Report(passed: "settings", "valid")
        } catch {
            report += Report(problems: error.problems)
        }
        report += Report(problems: configuration.settings.findings(of: configuration.site).problems)
        let redirect = configuration.mount.redirectURI
        if WebURL(redirect)?.isLoopback == true {
            let remedy = "SIGNIN_BASE_URL=https://… with the name that visitors use"
            report += Report(.redirectLocal, Setting.baseURL.name, redirect, remedies: [remedy])
        } else {
            report += Report(passed: Setting.baseURL.name, "the redirect URL is \(redirect)")
        }
        report += Report(
            .notChecked,
            "redirect URL",
            "LinkedIn does not say which redirect URLs are registered; this one must be, byte for byte: \(redirect)",
            remedies: ["compare with the Auth tab of the application at https://www.linkedin.com/developers/apps"]
        )
        report += EndpointCheck.versions(of: configuration.profile, at: Date())
        return report
    }

    static func rules(_ rules: [String], _ settings: RuleSettings) -> Report {
        var report = Report()
        for rule in rules {
            let (review, subject) = (RuleReview(of: rule, settings: settings), "SIGNIN_REQUIRE “\(rule)”")
            report += Report(problems: review.problems, .ruleInvalid)
            report += Report(.ruleNote, about: subject, notes: review.notes)
            if review.problems.isEmpty, review.notes.isEmpty { report += Report(passed: subject, "valid") }
        }
        return report
    }

    /// Who can read and change the settings file, the logo and the lists of rules.
    static func files(
        _ rules: [String],
        settingsFile: String?,
        _ configuration: Configuration,
        for reader: ProcessUser?
    ) -> Report {
        guard let reader else {
            return Report(.notChecked, "process", "its user is not known, nor which files it can read")
        }
        let lists = rules.flatMap { rule in
            (try? Requirement(rule, lists: MemberLists(log: Log { _ in })))?.conditions.compactMap(\.list?.path) ?? []
        }
        let appearance = configuration.pages.appearance
        let named = [settingsFile, appearance.logo?.path, appearance.providerLogo?.path].compactMap(\.self)
        let files = named.map { URL(fileURLWithPath: $0).path }
        var report = Report()
        for path in files + lists { report += FileCheck.run(path, user: reader.user.id, groups: reader.groups) }
        return report
    }

    /// A fault if the state directory belongs to another user than the program's; others than root see it in `store`.
    static func owner(of path: String, is user: ProcessUser?) -> Report {
        guard let (what, remedy) = StateDirectory.foreignOwner(of: path, for: user) else { return Report() }
        let directory = StateDirectory.resolved(path)
        return Report(.storeUnusable, directory, what, remedies: [remedy], causing: [Setting.store.name])
    }

    /// The state directory and, if there is one, the database.
    ///
    /// - Parameters:
    ///   - sources: The values of the settings.
    ///   - service: The service of the site; nil without a unit.
    ///   - user: The user that connects to the database; nil for the present one.
    /// - Returns: The findings.
    static func store(_ sources: SettingSources, of service: SiteService?, as user: ProcessUser?) -> Report {
        guard let (database, path, baseURL) = try? Configuration.places(sources) else { return Report() }
        let directory = StateDirectory.resolved(path)
        var report = owner(of: path, is: service?.user)
        // The owner explains what the survey would find.
        let survey = report.findings.isEmpty ? StoreSurvey(directory: directory) : nil
        for problem in survey?.problems ?? [] {
            report += Report(.storeUnusable, path, problem, causing: database == nil ? [Setting.store.name] : [])
        }
        if let survey {
            report += Report(.storeNote, about: path, notes: StateDirectory.notes(survey, path, of: service))
        }
        report += StateDirectory.foreign(path, to: baseURL)
        let exists = FileManager.default.fileExists(atPath: directory)
        if survey?.problems.isEmpty == true, exists { report += Report(passed: path, "usable") }
        let parent = URL(fileURLWithPath: directory).deletingLastPathComponent().path
        report += MachineCheck.room(in: exists ? directory : parent)
        if let database { report += ActingUser.perform(as: user) { DatabaseCheck.run(database, of: baseURL) } }
        return report
    }
}
