import Encoding
import POSIX
package import Settings

import class FoundationEssentials.FileManager

/// Looks at files with secrets.
package enum SecretCheck {
    /// Finds files that other users than their owner can read or change, and secrets of providers that have no effect.
    package static func run(_ sources: SettingSources) -> Report {
        var report = Report()
        for (file, note) in ([sources] + sources.providers).flatMap(shared) {
            report += Report(.secretShared, about: file, notes: [note])
        }
        if let directory = sources.providerSecretDirectory { report += providers(directory, sources) }
        return report.findings.isEmpty ? Report(passed: "secrets", "no group can read them") : report
    }

    private static func shared(_ sources: SettingSources) -> [(file: String, note: String)] {
        Setting.all.filter(\.isSecret).compactMap { setting in
            guard let value = sources.value(setting), let file = value.file, let access = SecretFile.access(to: file)
            else {
                return nil
            }
            let other = value.isCredential ? nil : sources.credentialInstead(of: setting)
            let way = other ?? "run: chmod 600 \(ShellWord.quoted(file))"
            return (file, "\(file) contains \(setting.name) and is \(access); \(way)")
        }
    }

    /// Looks into the directory with a secret for each provider that a file adds.
    private static func providers(_ directory: String, _ sources: SettingSources) -> Report {
        var report = Report()
        guard let status = try? FileStatus(path: directory), status.kind == .directory else { return report }
        if status.permissions & 0o077 != 0 {
            let what =
                "\(directory) has the secrets of providers and is open to other users (mode "
                + "\(String(status.permissions, radix: 8))); run: chmod 700 \(ShellWord.quoted(directory))"
            report += Report(.secretShared, directory, what)
        }
        let known = sources.providers.compactMap(\.providerName)
        for name in ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted() {
            let file = "\(directory)/\(name)"
            if !known.contains(name) {
                // The secret may be that of a provider whose file cannot be used, which is a finding of its own.
                guard sources.problems.isEmpty else { continue }
                let ids = known.isEmpty ? "no file adds a provider" : "the files add \(known.joined(separator: ", "))"
                let what = "no provider has the ID “\(name)”: \(ids)"
                let remedy = "give the file the name of the file that adds its provider, or remove it"
                report += Report(.secretUnused, file, what, remedies: [remedy])
            } else if (try? FileStatus(path: file))?.size == 0 {
                let what = "the file is empty, so the provider \(name) has no secret"
                report += Report(.secretUnused, file, what, remedies: ["write the secret into the file, or remove it"])
            }
        }
        return report
    }
}
