import POSIX
import Sessions

extension InstalledSite {
    /// The values of the settings of this site, without its secrets; nil if this user cannot read them.
    package var sources: SettingSources? {
        guard let file = ActingUser.performAsRoot({ try? OperatorFile(settingsFile) }) else { return nil }
        let service = SiteService(self)
        return SettingSources(
            environment: service.environment,
            file: SettingsFile(path: settingsFile, content: file.text),
            of: self,
            service: service.isInstalled ? service : nil,
            readSecret: { _ in "" }
        )
    }

    /// The site of this machine whose settings meet a condition.
    ///
    /// - Parameters:
    ///   - site: The site to leave out; nil to look at all sites.
    ///   - condition: The condition.
    /// - Returns: The first such site; nil if there is none, or if this user cannot read its settings.
    package static func first(except site: InstalledSite?, where condition: (SettingSources) -> Bool) -> InstalledSite?
    {
        all.first { $0 != site && $0.sources.map(condition) == true }
    }
}

extension InstalledSite {
    /// What to do about one address in the settings of two sites: the state directory of each remembers its own.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - sites: The sites, and what sets their address.
    /// - Returns: The advice, which names what is wrong.
    package static func advice(
        onAddress address: String,
        of sites: [(site: InstalledSite, source: String)]
    ) -> String {
        let found = sites.map { site, source in
            let directory = SiteService(site).stateDirectory
            return (site: site, source: source, directory: directory, owner: StateDirectory.owner(of: directory))
        }
        for (site, source, directory, owner) in found {
            guard let owner, owner != address else { continue }
            return
                "\(source) is wrong, because \(directory), the state directory of \(site.service), belongs to \(owner): write "
                + "\(Setting.baseURL.name)=\(owner) into it, with the client ID of this address"
        }
        guard found.contains(where: { $0.owner == address }), let new = found.first(where: { $0.owner == nil }) else {
            return "give each site an address of its own"
        }
        return
            "give \(new.site.service) an address of its own in \(new.source), or move \(new.source) away if it is only a copy"
    }
}

extension SettingSources {
    /// Values that another site of this machine has too, although only one of the two can use them.
    package var sharedValues: [ConfigurationError.Problem] {
        guard let site else { return [] }
        let others = InstalledSite.all.filter { $0 != site }.compactMap(\.sources)
        return [Setting.baseURL, Setting.listen, Setting.adminListen].compactMap { setting in
            for (text, source) in exclusive(setting) {
                for other in others {
                    guard let theirs = other.exclusive(setting).first(where: { $0.text == text }) else { continue }
                    let sites = [(site, source)] + (other.site.map { [($0, theirs.source)] } ?? [])
                    let advice =
                        setting == Setting.baseURL
                        ? InstalledSite.advice(onAddress: text, of: sites) : Self.advice(onSocket: text, of: sites)
                    let message = "is \(text) in \(source) and in \(theirs.source): \(advice)"
                    return .init(subject: setting.name, message: message, place: place(of: setting))
                }
            }
            return nil
        }
    }

    /// What to do about a socket of two sites: systemd opens the socket of a unit, whatever the settings name.
    private static func advice(onSocket text: String, of sites: [(site: InstalledSite, source: String)]) -> String {
        let units = sites.filter { $0.source == $0.site.socketUnit }.map(\.site)
        guard let owner = units.first else { return "give each site an address of its own" }
        guard let wrong = units.first(where: { "unix:\($0.socket)" != text }) else {
            let others = sites.map(\.source).filter { $0 != owner.socketUnit }.joined(separator: " and ")
            return "\(owner.socketUnit) opens its own socket, so correct \(Setting.listen.name) in \(others)"
        }
        let unit = SiteService(wrong).socketUnit
        let line = unit?.line("ListenStream", with: String(text.dropFirst("unix:".count)))
        let edit = unit?.edit(line) ?? wrong.socketUnit
        return "correct ListenStream= of the site that does not own this address (\(edit))"
    }

    /// The values of a setting that only one site of a machine can have, and where each is written.
    private func exclusive(_ setting: Setting) -> [(text: String, source: String)] {
        let source = value(setting)?.source ?? ""
        if setting == Setting.baseURL { return baseURL.map { [($0, source)] } ?? [] }
        // The settings may name another socket, and systemd does not read them.
        let sockets = setting == Setting.listen ? service?.sockets ?? [] : []
        let opened = sockets.map { (text: "unix:\($0)", source: site?.socketUnit ?? "") }
        let named = value(setting).map { [($0.text, source)] } ?? []
        return (opened + named).filter { $0.0.hasPrefix("unix:") || $0.0.hasPrefix("tcp:") }
    }
}
