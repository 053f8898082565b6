import OpenID
import Sessions
import TestSupport
import Testing

import struct Foundation.Data
import class Foundation.FileManager
import struct Foundation.URL

@testable import Settings

/// Files that each add a provider.
struct ProviderFilesTests {
    private static let google =
        "PROVIDER_ISSUER=https://accounts.google.com\nPROVIDER_CLIENT_ID=own\nPROVIDER_NAME=Google\n"

    private let directory: TemporaryDirectory
    private var folder: String { directory.path + "/providers" }

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    private func write(_ name: String, _ text: String = google) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }

    private func sources(
        _ changes: [String: String] = [:],
        path: String? = nil,
        credentials: String? = nil,
        service: SiteService? = nil
    ) -> SettingSources {
        let lines = [
            "LINKEDIN_CLIENT_ID": "id", "LINKEDIN_CLIENT_SECRET": "s3cret", "SIGNIN_BASE_URL": "https://example.com",
        ].merging(changes) { $1 }.filter { $0.value != "-" }
        let text = lines.sorted(by: <).map { "\($0)=\($1)" }.joined(separator: "\n")
        let file = SettingsFile(path: path ?? directory.path + "/settings", content: text)
        let environment = credentials.map { ["CREDENTIALS_DIRECTORY": $0] } ?? [:]
        return SettingSources(environment: environment, file: file, service: service, readSecret: SecretFile.read)
    }

    private func problems(_ changes: [String: String] = [:]) throws -> [ConfigurationError.Problem] {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(sources(changes)) }
        return try #require(error).problems
    }

    @Test func `each file of the directory beside the settings adds a provider with its own redirect address`() throws {
        try write("sso", "PROVIDER_ISSUER=https://sso.example.com\nPROVIDER_CLIENT_ID=x\nSIGNIN_SCOPES=openid groups\n")
        try write("google")
        let configuration = try Configuration(sources())
        #expect(configuration.providers.map(\.id.description) == ["linkedin", "google", "sso"])
        #expect(configuration.providers.map(\.name) == ["LinkedIn", "Google", "sso.example.com"])
        #expect(
            configuration.providers.map(\.redirectURI) == [
                "https://example.com/oauth", "https://example.com/oauth/google", "https://example.com/oauth/sso",
            ]
        )
        #expect(configuration.providers[2].options.scopes == ["openid", "groups"])
        #expect(configuration.providers[1].credentials.identifier == "own" && !configuration.providers[1].hasSecret)
        #expect(configuration.providers[1].file == "\(folder)/google")
    }

    @Test func `providers with the same name, or with the same issuer and client ID, are noted`() throws {
        try write("google")
        try write("staff", "PROVIDER_ISSUER=https://accounts.google.com\nPROVIDER_CLIENT_ID=other\n")
        #expect(try Configuration(sources()).providerNotes.isEmpty)
        try write("staff", "PROVIDER_ISSUER=https://sso.example.com\nPROVIDER_CLIENT_ID=own\nPROVIDER_NAME=Google\n")
        let named = try Configuration(sources()).providerNotes
        #expect(named.count == 1 && named[0].contains("google and staff have the same name “Google”"))
        try write("staff", "PROVIDER_ISSUER=https://accounts.google.com\nPROVIDER_CLIENT_ID=own\n")
        let twins = try Configuration(sources()).providerNotes
        #expect(twins.count == 1 && twins[0].contains("google and staff have the same issuer and the same client ID"))
    }

    @Test func `the directory is beside a settings file with a relative path too`() throws {
        try write("google")
        let up = FileManager.default.currentDirectoryPath.split(separator: "/").map { _ in "../" }.joined()
        let path = up + directory.path.dropFirst() + "/settings"
        #expect(try Configuration(sources(path: path)).providers.map(\.id.description) == ["linkedin", "google"])
    }

    @Test func `without the directory there is one provider, and a named directory must exist`() throws {
        try FileManager.default.removeItem(atPath: folder)
        #expect(try Configuration(sources()).providers.count == 1)
        #expect(try problems(["SIGNIN_PROVIDERS": folder]).map(\.subject) == ["SIGNIN_PROVIDERS"])
        #expect(try problems(["SIGNIN_PROVIDERS": "providers"]).map(\.subject) == ["SIGNIN_PROVIDERS"])
    }

    @Test(arguments: ["google~", ".google.swp", "google.dpkg-old", "google.off", "README.md"])
    func `copies by editors and package managers are ignored`(name: String) throws {
        try write(name, "no setting")
        #expect(try Configuration(sources()).providers.count == 1)
    }

    @Test(arguments: ["Google", "linkedin", "my_sso", "a b"])
    func `another file name is an error that says which names are possible`(name: String) throws {
        try write(name)
        #expect(try problems().map(\.subject) == ["\(folder)/\(name)"])
    }

    @Test func `the errors of all files and of the settings are reported together, with file and line`() throws {
        try write("google", "PROVIDER_ISSUER=http://accounts.google.com\nPROVIDER_CLIENT_ID=a b\nSIGNIN_WORKERS=2\n")
        try write("sso", "PROVIDER_NAME=SSO\nPROVIDER_ISUER=x\n")
        let problems = try problems(["SIGNIN_SESSION_LIFETIME": "soon"])
        let found = problems.map {
            "\($0.place.map { $0.replacing(directory.path + "/", with: "") } ?? "") \($0.subject)"
        }
        #expect(
            Set(found) == [
                "settings:4 SIGNIN_SESSION_LIFETIME", "providers/google:1 PROVIDER_ISSUER",
                "providers/google:2 PROVIDER_CLIENT_ID", "providers/google:3 SIGNIN_WORKERS",
                "providers/sso:2 PROVIDER_ISUER", "providers/sso PROVIDER_ISSUER", "providers/sso PROVIDER_CLIENT_ID",
            ]
        )
        #expect(problems.first { $0.subject == "PROVIDER_ISUER" }?.message.contains("PROVIDER_ISSUER") == true)
    }

    @Test func `an ID in the file of a provider is to be removed, because the name of the file is the ID`() throws {
        try write("google", Self.google + "PROVIDER_ID=google\n")
        let found = try problems()
        #expect(found.map(\.message) == ["remove this line: the ID of this provider is google, the name of the file"])
        #expect(found.map(\.place) == ["\(folder)/google:4"])
    }

    @Test func `a file cannot have the ID of the provider in the settings`() throws {
        try write("google")
        let first = [
            "LINKEDIN_CLIENT_ID": "-", "LINKEDIN_CLIENT_SECRET": "-", "PROVIDER_ISSUER": "https://accounts.google.com",
            "PROVIDER_CLIENT_ID": "x", "PROVIDER_ID": "google",
        ]
        #expect(try problems(first).map(\.subject) == ["PROVIDER_ID"])
        let other = try Configuration(sources(first.merging(["PROVIDER_ID": "other"]) { $1 }))
        #expect(other.providers.map(\.id.description) == ["other", "google"])
    }

    @Test func `a provider has its client secret in a file, or in its file of a directory of credentials`() throws {
        try write("google")
        let credential = directory.path + "/provider-secrets_google"
        try Data("s3cret\n".utf8).write(to: URL(fileURLWithPath: credential))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: credential)
        let provider = try Configuration(sources(credentials: directory.path)).providers[1]
        #expect(provider.hasSecret && provider.secretNeedsRestart)
        try write("google", Self.google + "PROVIDER_CLIENT_SECRET_FILE=\(credential)\n")
        let named = try Configuration(sources()).providers[1]
        #expect(named.hasSecret && !named.secretNeedsRestart)
        try write("google", Self.google + "PROVIDER_CLIENT_SECRET_FILE=\(credential)-missing\n")
        let problem = try #require(try problems().first)
        #expect(problem.subject == "PROVIDER_CLIENT_SECRET_FILE" && problem.place == "\(folder)/google")
    }

    @Test func `a command reads the secret in the directory that the unit loads`() throws {
        try write("google")
        let secret = directory.path + "/google"
        try Data("s3cret\n".utf8).write(to: URL(fileURLWithPath: secret))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        let unit = SystemdUnit("a.service", texts: ["[Service]\nLoadCredential=provider-secrets:\(directory.path)\n"])
        let service = SiteService(.unnamed, unit: unit, socketUnit: nil)
        #expect(try Configuration(sources(service: service)).providers[1].hasSecret)
    }

    @Test func `a reload reports the providers that were added, changed and removed`() throws {
        try write("google")
        try write("sso")
        let before = sources()
        try write("google", Self.google + "SIGNIN_SCOPES=openid\n")
        try FileManager.default.removeItem(atPath: folder + "/sso")
        try write("new")
        #expect(sources().changedProviders(from: before) == ["google", "new", "sso"])
        #expect(sources().changedProviders(from: sources()).isEmpty)
        #expect(sources().compared.texts != before.compared.texts)
    }
}
