import Encoding
import POSIX
import Provider
import Sessions

import class FoundationEssentials.FileManager

/// The files of a directory that each add a provider; the name of a file is the ID of its provider.
struct ProviderFiles {
    /// The directory beside a settings file that is used without `SIGNIN_PROVIDERS`.
    static func usualDirectory(besides settingsFile: String) -> String {
        let folder = settingsFile.lastIndex(of: "/").map { settingsFile[...$0] } ?? ""
        let start = settingsFile.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
        return start + folder + "providers"
    }

    private(set) var files: [(id: ProviderID, file: SettingsFile)] = []
    private(set) var problems: [ConfigurationError.Problem] = []

    /// Reads all files of a directory, in the order of their names.
    ///
    /// A name with a period or with a tilde at its end is ignored: editors and package managers make such copies, and an
    /// operator can disable a provider by such a name.
    init(directory: String) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: directory)
        } catch {
            let (user, isFound) = (User.current, (try? FileStatus(path: directory)) != nil)
            let managed = ManagedFile.remedy(directory, for: user) { _ in true }
            let remedy = ActingUser.isPerson ? "use sudo" : managed ?? "run: chmod a+rx \(ShellWord.quoted(directory))"
            let advice: Advice =
                isFound
                ? Advice("\(user.described) cannot read the directory “\(directory)”", remedy)
                : "the directory “\(directory)” does not exist, or \(user.described) cannot enter the directory above it"
            problems = [.init(subject: Setting.providerDirectory.name, advice)]
            return
        }
        for name in names.sorted() where !name.contains(".") && !name.hasSuffix("~") {
            let path = "\(directory)/\(name)"
            guard let id = ProviderID(name), id != .linkedIn else {
                let rule = "the ID of a provider has 1 to 32 lower-case letters, digits and hyphens"
                let message =
                    name == ProviderID.linkedIn.description
                    ? "LinkedIn cannot be added by a file: write its settings into the settings file"
                    : "the name of the file is not the ID of a provider: \(rule)"
                problems.append(.init(subject: path, message: message))
                continue
            }
            do throws(ConfigurationError) {
                files.append((id, try SettingsFile(reading: path)))
            } catch {
                problems += error.problems
            }
        }
    }
}

extension SettingSources {
    /// The ID of the provider that a file adds; nil for the settings of the site.
    package var providerName: String? { providerFile?.id.description }

    /// The file that adds the provider; nil for the settings of the site.
    package var providerPath: String? { providerFile?.path }

    /// The provider, for messages.
    package var providerTitle: String {
        providerName ?? value(Setting.providerID)?.text ?? value(Setting.providerIssuer)?.text ?? "LinkedIn"
    }

    /// The files that systemd passes to the service, by the names of the credentials.
    package var credentialFiles: [String: String] { service?.credentials ?? [:] }

    /// The setting with the client secret of the provider.
    package var clientSecret: Setting {
        providerFile == nil && value(Setting.providerIssuer) == nil
            ? Setting.clientSecret : Setting.providerClientSecret
    }

    /// The file from which systemd passes the client secret; nil if no unit passes it.
    package var clientSecretFile: String? { service?.fileOfCredential(credentialName(clientSecret)) }

    /// The file beside the settings file from which the units of the package pass the client secret; nil without a settings file.
    package var usualSecretFile: String? {
        guard let file = value(Setting.providerIssuer)?.file, file.hasPrefix("/") else { return nil }
        let folder = FileName.directory(of: file)
        guard let providerFile else { return "\(folder)/\(credentialName(clientSecret))" }
        return "\(FileName.directory(of: folder))/\(SiteService.providerSecrets)/\(providerFile.id)"
    }

    /// Whether the provider is known to accept no client without a client secret, beside those that `Configuration` reports.
    package var requiresSecret: Bool { value(Setting.providerIssuer)?.text == GoogleWorkspace.issuer }

    /// Whether the provider has no client secret, and nothing is wrong with a file that contains it.
    package var lacksClientSecret: Bool { value(clientSecret) == nil && !unreadable.contains(clientSecret.name) }
}
