import Diagnosis
import EventLog
import Guard
import POSIX
import Pages
import Provider
import Settings
import WebServerConfiguration

import struct FoundationEssentials.Date
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
            report += Report(problems: error.problems, causing: .refused)
        }
        let directory = StateDirectory.resolved(configuration.storing.directory)
        report += Report(problems: Discovery.problems(configuration, in: directory), causing: .refused)
        report += configuration.settings.findings(of: configuration.site).faults
        let redirect = configuration.first.redirectURI
        if WebURL(redirect)?.isLoopback == true {
            let remedy = "SIGNIN_BASE_URL=https://… with the name that visitors use"
            report += Report(.redirectLocal, Setting.baseURL.name, redirect, remedies: [remedy])
        } else {
            report += Report(passed: Setting.baseURL.name, "the redirect URL is \(redirect)")
        }
        for provider in configuration.providers {
            report += Report(
                .notChecked,
                "redirect URL",
                "\(provider.name) does not say which redirect URLs are registered; this one must be, byte for byte: "
                    + provider.redirectURI,
                remedies: ["compare with the \(CredentialCheck.registration(provider))"]
            )
            if provider.issuer == nil { report += EndpointCheck.versions(of: provider.profile, at: Date()) }
        }
        return report
    }

    static func rules(_ rules: [String], _ settings: RuleSettings) -> Report {
        var report = Report()
        for rule in rules {
            let (review, subject) = (RuleReview(of: rule, settings: settings), "SIGNIN_REQUIRE “\(rule)”")
            for fault in review.faults {
                report += Report(
                    problems: [fault.problem],
                    .ruleInvalid,
                    causing: Set([fault.exposedList.map(Cause.exposed)].compactMap(\.self)),
                    explainedBy: Set([fault.deniedList.map(Cause.unreadable)].compactMap(\.self))
                )
            }
            report += Report(.ruleDoubtful, about: subject, notes: review.warnings)
            report += Report(.ruleNote, about: subject, notes: review.notes)
            if review.problems.isEmpty, review.notes.isEmpty, review.warnings.isEmpty {
                report += Report(passed: subject, "valid")
            }
        }
        return report
    }

    /// Who can read and change the settings file, the files of providers, the logos and the lists of rules.
    static func files(
        _ rules: [String],
        settingsFile: String?,
        _ configuration: Configuration,
        for reader: ProcessUser?
    ) -> Report {
        guard let reader else {
            let what = "its user is not known, nor which files it can read"
            return Report(.notChecked, "process", what, explainedBy: .noStart)
        }
        let lists = rules.flatMap { rule in
            (try? Requirement(rule, lists: MemberLists(log: Log { _ in })))?.conditions.compactMap(\.list?.path) ?? []
        }
        var report = Report()
        for path in named(settingsFile, configuration) + lists {
            report += FileCheck.run(path, user: reader.user.id, groups: reader.groups)
        }
        return report
    }

    /// Who can change the settings file, the files of providers and the logos.
    static func writable(settingsFile: String?, _ configuration: Configuration, for user: ProcessUser?) -> Report {
        named(settingsFile, configuration).reduce(into: Report()) { report, path in
            // Without a unit, the owner of the file may be the user of the program.
            guard let owner = user?.user.id ?? (try? FileStatus(path: path))?.owner else { return }
            report += FileCheck.run(path, user: owner, groups: user?.groups ?? []).findings(.fileWritable)
        }
    }

    private static func named(_ settingsFile: String?, _ configuration: Configuration) -> [String] {
        let ofProviders = configuration.providers.flatMap { [$0.file, $0.logo?.path] }
        let named = ([settingsFile, configuration.pages.appearance.logo?.path] + ofProviders).compactMap(\.self)
        return named.map { URL(fileURLWithPath: $0).path }
    }
}
