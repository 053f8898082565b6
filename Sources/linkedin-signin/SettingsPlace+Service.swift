import POSIX
import Settings
import SignIn

// Root sees more files than the service: what a command of root says about settings must be true for the service.

extension SettingsPlace {
    /// The user as whom a command of root reads the files of the settings; nil for a command of another user, for a service
    /// that runs as root, and without a unit.
    var user: ProcessUser? {
        ActingUser.isRoot ? service?.user : nil
    }

    /// The same user; without a unit, the owner of the state directory, as whom the program then has to run.
    var userOrOwner: ProcessUser? {
        guard ActingUser.isRoot, service == nil else { return user }
        guard let sources = try? sources(readSecret: { _ in "" }),
            let path = sources.value(.stateDirectory)?.text ?? Setting.stateDirectory.defaultText,
            let status = try? FileStatus(path: StateDirectory.resolved(path)), status.owner != 0
        else { return nil }
        let owner = User(id: status.owner)
        return ProcessUser(owner, groups: owner.groups.isEmpty ? [status.group] : owner.groups)
    }

    /// What keeps the service from using its settings, beside the settings themselves.
    ///
    /// - Parameter sources: The values of the settings.
    /// - Returns: Problems, and a note for a command of another user than root and the service.
    func findings(_ sources: SettingSources) -> Check.Findings {
        guard let service else { return .init() }
        let problems =
            service.problems + hidden(sources, service)
            + [otherSocket(sources, service), unwritable(sources, service)].compactMap(\.self)
        var notes: [String] = []
        if !ActingUser.isRoot, let user = service.user?.user, user != .current {
            notes.append(
                "files were read as user \(User.current.name), and \(service.site.service) runs as user \(user.name): "
                    + "run this command as root"
            )
        }
        return .init(problems: problems, notes: notes)
    }

    /// The files that the unit hides from the service.
    private func hidden(_ sources: SettingSources, _ service: SiteService) -> [ConfigurationError.Problem] {
        sources.files.compactMap { name, path in
            // Both ways: the service can neither follow a hidden link nor reach a hidden target.
            let line = service.lineHiding(path) ?? service.lineHiding(StateDirectory.resolved(path))
            guard let line else { return nil }
            let message = "“\(path)” is hidden from \(service.site.service) (\(line)); move it, for example to /etc"
            return .init(subject: name, message: message)
        }
    }

    /// The service would not start, or the printed configuration would lead the web server to another site.
    private func otherSocket(_ sources: SettingSources, _ service: SiteService) -> ConfigurationError.Problem? {
        guard let socket = service.socket, case .unix(let path) = sources.ofRules.listen, path != socket else {
            return nil
        }
        let message = "is unix:\(path), and \(service.site.socketUnit) listens at \(socket): write unix:\(socket)"
        return .init(subject: Setting.listen.name, message: message)
    }

    private func unwritable(_ sources: SettingSources, _ service: SiteService) -> ConfigurationError.Problem? {
        guard let path = sources.value(.stateDirectory)?.text, path.hasPrefix("/"),
            !service.mayWrite(StateDirectory.resolved(path), orBelow: StateDirectory.resolved(service.stateDirectory))
        else { return nil }
        let message =
            "“\(path)” is read-only for \(service.site.service) (ProtectSystem=strict): remove the line, and the service "
            + "uses \(service.stateDirectory)"
        return .init(subject: Setting.stateDirectory.name, message: message)
    }
}
