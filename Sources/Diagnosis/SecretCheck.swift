import Encoding
import OpenID
import POSIX
package import Settings

import class FoundationEssentials.FileManager

/// Looks at files with secrets.
package enum SecretCheck {
    /// Finds files that other users than their owner can read or change, providers without their secret, and secrets that
    /// have no effect.
    package static func run(_ sources: SettingSources) -> Report {
        let all = [sources] + sources.providers
        var report = all.flatMap(shared).reduce(into: Report()) { $0 += $1 }
        report += openDirectory(sources)
        for provider in all { report += withoutUnit(provider) }
        // Other users cannot look into the directory.
        if ActingUser.isRoot { report += providers(sources) }
        return report.findings.isEmpty ? Report(passed: "secrets", "no group can read them") : report
    }

    private static func shared(_ sources: SettingSources) -> [Report] {
        Setting.all.filter(\.isSecret).compactMap { setting in
            guard let value = sources.value(setting), let file = value.file, let access = SecretFile.access(to: file)
            else {
                return nil
            }
            let other = value.isCredential ? nil : sources.credentialInstead(of: setting)
            let way = other ?? "run: chmod 600 \(ShellWord.quoted(file))"
            return Report(.secretShared, file, "\(file) contains \(setting.name) and is \(access)", remedies: [way])
        }
    }

    /// Looks into the directory with a secret for each provider that a file adds.
    private static func openDirectory(_ sources: SettingSources) -> Report {
        guard let directory = sources.credentialFiles[SiteService.providerSecrets],
            let status = try? FileStatus(path: directory), status.kind == .directory, status.permissions & 0o077 != 0
        else { return Report() }
        let what =
            "\(directory) has the secrets of providers and is open to other users (mode "
            + "\(String(status.permissions, radix: 8)))"
        return Report(.secretShared, directory, what, remedies: ["run: chmod 700 \(ShellWord.quoted(directory))"])
    }

    /// Compares the files of secrets with the providers that need one.
    private static func providers(_ sources: SettingSources) -> Report {
        let all = [sources] + sources.providers
        let lacking = all.filter(\.lacksClientSecret)
        let unused = unusedFiles(sources, besides: all.compactMap(\.clientSecretFile), isSought: !lacking.isEmpty)
        var report = Report()
        for provider in lacking {
            guard let file = provider.clientSecretFile else { continue }
            let isEmpty = (try? FileStatus(path: file)) != nil
            let isLinkedIn = provider.clientSecret == Setting.clientSecret
            guard isEmpty && !isLinkedIn || !unused.isEmpty || provider.requiresSecret else {
                // Another message says it about LinkedIn.
                if !isEmpty, !isLinkedIn {
                    let way = "write the client secret of \(provider.providerTitle) into \(file)"
                    report += perhapsPublic(provider, ", because \(file) does not exist", way)
                }
                continue
            }
            let others =
                unused.isEmpty ? "" : ", and no provider uses " + unused.map { $0.described }.joined(separator: ", ")
            let what =
                "the provider \(provider.providerTitle) has no client secret, because \(file) "
                + "\(isEmpty ? "is empty" : "does not exist")\(others): write the client secret of \(provider.providerTitle) into \(file)"
            report += Report(
                .secretMissing,
                provider.clientSecret.name,
                what,
                at: provider.providerPath,
                remedies: ["then " + UnitCommands(site: sources.site).restart]
            )
        }
        guard lacking.isEmpty || report.findings.isEmpty else { return report }
        for (file, described) in unused {
            let what = "no provider uses \(described)"
            report += Report(.secretUnused, file, what, remedies: ["move it to the file of its provider, or remove it"])
        }
        return report
    }

    /// A provider whose secret no unit passes: the settings must name the file of the secret.
    private static func withoutUnit(_ provider: SettingSources) -> Report {
        // Another message says it about LinkedIn, and about a file without an issuer.
        let hasIssuer = provider.value(Setting.providerIssuer) != nil
        guard hasIssuer, provider.lacksClientSecret, provider.clientSecretFile == nil else { return Report() }
        let name = provider.clientSecret.name + "_FILE"
        let place = provider.providerPath.map { " in \($0)" } ?? ""
        guard let file = provider.usualSecretFile, (try? FileStatus(path: file)) != nil else {
            let way = "write the client secret of \(provider.providerTitle) into a file"
            return perhapsPublic(provider, "", "\(way), and name this file in \(name)\(place)")
        }
        let why = ", because only the units of linkedin-signin pass \(file) to the program"
        return perhapsPublic(provider, why, "set \(name)=\(file)\(place)")
    }

    /// The provider may have issued no secret, unless its preset says otherwise.
    private static func perhapsPublic(_ provider: SettingSources, _ reason: String, _ way: String) -> Report {
        let preset = provider.value(Setting.providerPreset)?.text ?? ProviderPreset.openid.rawValue
        let (name, none) = (Setting.providerAuthentication, ProtocolOptions.ClientAuthentication.none.rawValue)
        guard [ProviderPreset.openid, .oauth2].map(\.rawValue).contains(preset),
            provider.value(name)?.text != none
        else { return Report() }
        let what = "the provider \(provider.providerTitle) has no client secret\(reason)"
        let remedies = ["\(way); or, if the provider registered the client as public, set \(name.name)=\(none)"]
        return Report(.secretAbsent, provider.providerTitle, what, remedies: remedies)
    }

    /// The files of secrets that no provider uses.
    private static func unusedFiles(
        _ sources: SettingSources,
        besides used: [String],
        isSought: Bool
    ) -> [(path: String, described: String)] {
        // The secret may be that of a provider whose file cannot be used, which is a finding of its own.
        guard sources.problems.isEmpty else { return [] }
        let (files, name) = (sources.credentialFiles, SiteService.providerSecrets)
        // LinkedIn's stays when another provider replaces LinkedIn.
        let single = ["provider-client-secret"] + (isSought ? ["linkedin-client-secret"] : [])
        var found: [(path: String, described: String)] = single.compactMap { files[$0] }.map { ($0, $0) }
        if let directory = files[name], let kind = (try? FileStatus(path: directory))?.kind {
            let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
            let whole = (directory, "\(directory), which is a file and not a directory")
            found += kind == .directory ? names.map { ("\(directory)/\($0)", "\(directory)/\($0)") } : [whole]
        }
        return found.filter { path, _ in
            !used.contains(path) && (try? FileStatus(path: path)).map { $0.size > 0 } == true
        }
    }
}
