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
    static func problems(_ problems: [ConfigurationError.Problem], _ code: FindingCode = .settingsInvalid) -> Report {
        var report = Report()
        for problem in problems {
            let place = problem.place.map { "\($0): " } ?? ""
            report.add(code, place + problem.subject, problem.message)
        }
        return report
    }

    /// Findings about valid settings.
    static func settings(_ configuration: Configuration) -> Report {
        var report = Report()
        do throws(ConfigurationError) {
            _ = try PageRenderer(configuration)
            report.pass("settings", "valid")
        } catch {
            report += problems(error.problems)
        }
        report += problems(configuration.settings.findings(of: configuration.site).problems)
        let redirect = configuration.mount.redirectURI
        if WebURL(redirect)?.isLoopback == true {
            let remedy = "SIGNIN_BASE_URL=https://… with the name that visitors use"
            report.add(.redirectLocal, Setting.baseURL.name, redirect, remedies: [remedy])
        } else {
            report.pass(Setting.baseURL.name, "the redirect URL is \(redirect)")
        }
        report.add(
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
            let review = RuleReview(of: rule, settings: settings)
            report += problems(review.problems, .ruleInvalid)
            for note in review.notes { report.add(.ruleNote, "SIGNIN_REQUIRE “\(rule)”", note) }
            if review.problems.isEmpty, review.notes.isEmpty { report.pass("SIGNIN_REQUIRE “\(rule)”", "valid") }
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
        var report = Report()
        guard let reader else {
            report.add(.notChecked, "process", "its user is not known, nor which files it can read")
            return report
        }
        let lists = rules.flatMap { rule in
            (try? Requirement(rule, lists: MemberLists(log: Log { _ in })))?.conditions.compactMap(\.list?.path) ?? []
        }
        let appearance = configuration.pages.appearance
        let named = [settingsFile, appearance.logo?.path, appearance.providerLogo?.path].compactMap(\.self)
        let files = named.map { URL(fileURLWithPath: $0).path }
        for path in files + lists {
            report += FileCheck.run(path, user: reader.user.id, groups: reader.groups)
        }
        return report
    }

    /// A fault if the state directory belongs to another user than the program's; others than root see it in `store`.
    static func owner(of path: String, is user: ProcessUser?) -> Report {
        var report = Report()
        if let (what, remedy) = StateDirectory.foreignOwner(of: path, for: user) {
            let directory = StateDirectory.resolved(path)
            report.add(.storeUnusable, directory, what, remedies: [remedy], causing: [Setting.store.name])
        }
        return report
    }

    static func secrets(_ sources: SettingSources) -> Report {
        var report = Report()
        for note in sources.sharedSecrets { report.add(.secretShared, "secrets", note) }
        if sources.sharedSecrets.isEmpty { report.pass("secrets", "no group can read them") }
        return report
    }

    /// The state directory and, if there is one, the database.
    ///
    /// - Parameters:
    ///   - sources: The values of the settings.
    ///   - service: The service of the site; nil without a unit.
    ///   - user: The user that connects to the database; nil for the present one.
    /// - Returns: The findings.
    static func store(_ sources: SettingSources, of service: SiteService?, as user: ProcessUser?) -> Report {
        var report = Report()
        guard let (database, path, baseURL) = try? Configuration.places(sources) else { return report }
        let directory = StateDirectory.resolved(path)
        let ofOwner = owner(of: path, is: service?.user)
        report += ofOwner
        // The owner explains what the survey would find.
        let survey = ofOwner.findings.isEmpty ? StoreSurvey(directory: directory) : nil
        for problem in survey?.problems ?? [] {
            report.add(.storeUnusable, path, problem, causing: database == nil ? [Setting.store.name] : [])
        }
        for note in survey.map({ StateDirectory.notes($0, path, of: service) }) ?? [] {
            report.add(.storeNote, path, note)
        }
        for problem in StateDirectory.foreign(path, to: baseURL) {
            let causes: Set = [Report.otherSite, Report.otherProgram]
            report.add(.storeUnusable, problem.subject, problem.message, causing: causes)
        }
        let exists = FileManager.default.fileExists(atPath: directory)
        if survey?.problems.isEmpty == true, exists { report.pass(path, "usable") }
        let parent = URL(fileURLWithPath: directory).deletingLastPathComponent().path
        report += MachineCheck.room(in: exists ? directory : parent)
        if let database {
            let findings = ActingUser.perform(as: user) { Database.findings(database, of: baseURL) }
            for problem in findings.problems {
                report.add(.storeUnusable, problem.subject, problem.message, causing: [Setting.store.name])
            }
            for note in findings.notes { report.add(.storeNote, Setting.store.name, note) }
            if findings.problems.isEmpty { report.pass(Setting.store.name, "the database answers") }
        }
        return report
    }
}
