import HTTP
import OpenID
import Settings

extension Configuration {
    /// The query of `/login` that starts a sign-in at the first provider; empty if there is no other one.
    var queryOfFirst: String { providers.count > 1 ? "provider=\(first.id)" : "" }
}

/// The answer to `GET /login`, compared with the settings.
struct LoginAnswer {
    private let status: Int
    private let location: String

    init(_ status: Int, _ headers: Headers) {
        self.status = status
        location = headers[.location] ?? ""
    }

    static func remedies(_ units: UnitCommands) -> [String] {
        [
            units.reload,
            "or look at the other site: --site with its name, or --settings-file with its file",
            "or two sites have the same SIGNIN_LISTEN: give each its own",
        ]
    }

    /// What differs from the settings.
    ///
    /// - Parameters:
    ///   - configuration: The settings.
    ///   - subject: What was asked.
    ///   - code: The finding if something differs.
    ///   - first: What to try before the other remedies.
    /// - Returns: The findings.
    func report(
        of configuration: Configuration,
        subject: String,
        _ code: FindingCode,
        _ first: [String] = []
    ) -> Report {
        let differences = differences(from: configuration)
        guard !differences.isEmpty else {
            return Report(
                passed: subject,
                "leads to \(configuration.first.name), and back to \(configuration.first.redirectURI)"
            )
        }
        if isTemporary { return Report(.notChecked, subject, Self.cannotStart(status)) }
        // A reload with a client ID that the provider refuses would end a program that works.
        let isOnlyRefused = code == .programOtherSettings && differences.allSatisfy { $0.name == "client_id" }
        let remedies = first + Self.remedies(UnitCommands(site: configuration.site))
        return Report(
            code,
            subject,
            differences.map(\.text).joined(separator: "; "),
            remedies: remedies,
            causing: [.otherProgram],
            explainedBy: isOnlyRefused ? [.refused(Setting.clientID.name)] : [.otherSite]
        )
    }

    /// Whether the program could not start a sign-in, for example because its provider does not respond: the answer says
    /// nothing about the settings.
    var isTemporary: Bool { status == 429 || status >= 500 }

    static func cannotStart(_ status: Int) -> String {
        "the program responds with HTTP \(status) and can start no sign-in now"
    }

    /// What differs, with the name of the parameter if only a parameter differs.
    private func differences(from configuration: Configuration) -> [(name: String?, text: String)] {
        guard status == 303, !location.isEmpty else {
            return [(nil, "HTTP \(status) instead of a redirect to \(configuration.first.name)")]
        }
        let endpoint = configuration.first.options.authorizationEndpoint
        guard location.hasPrefix(endpoint), let mark = location.utf8.firstIndex(of: UInt8(ascii: "?")),
            let query = FormData(parsing: String(location[mark...].dropFirst()))
        else { return [(nil, "leads to \(location.prefix { $0 != "?" }) instead of \(endpoint)")] }
        let expected = [
            ("redirect_uri", configuration.first.redirectURI),
            ("client_id", configuration.first.credentials.identifier),
            ("scope", configuration.first.options.scopes.joined(separator: " ")),
        ]
        return expected.compactMap { name, value in
            if case .one(let found) = query[name] {
                return found == value ? nil : (name, "\(name) is “\(found)”, and the settings have “\(value)”")
            }
            return (name, "\(name) is missing")
        }
    }
}
