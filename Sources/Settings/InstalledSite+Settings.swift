import POSIX

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

extension SettingSources {
    /// Values that another site of this machine has too, although only one of the two can use them.
    package var sharedValues: [ConfigurationError.Problem] {
        guard let site else { return [] }
        let settings = [Setting.baseURL, Setting.listen, Setting.adminListen]
        return settings.compactMap { setting in
            guard let value = exclusive(setting),
                let other = InstalledSite.first(except: site, where: { $0.exclusive(setting) == value })
            else { return nil }
            let advice = "give each site an address of its own, or move that file away if it is only a copy"
            let message = "is \(value) in \(site.settingsFile) and in \(other.settingsFile): \(advice)"
            return .init(subject: setting.name, message: message, place: place(of: setting))
        }
    }

    /// The value of a setting that one site of a machine has; nil for a value that several sites may have.
    private func exclusive(_ setting: Setting) -> String? {
        if setting == Setting.baseURL { return baseURL }
        let text = value(setting)?.text ?? ""
        return text.hasPrefix("unix:") || text.hasPrefix("tcp:") ? text : nil
    }
}
