package import Settings

/// The commands of systemd for the units of a site, as remedies.
package struct UnitCommands: Sendable, Equatable {
    /// Nil for settings at a place that no unit of the package reads: another unit, or no unit, has them.
    let site: InstalledSite?

    /// - Parameter site: The site; nil for settings at a place that no unit of the package reads.
    package init(site: InstalledSite?) {
        self.site = site
    }

    /// The command that starts the service and its socket, also if systemd believes that a removed socket still exists.
    package var start: String {
        guard let site else { return "start the service of this site" }
        return "run: systemctl restart \(site.socketUnit) \(site.service)"
    }

    /// The command that makes the service read its settings again.
    package var reload: String { change("reload") }

    var restart: String { change("restart") }

    /// What gives the service a proxy.
    var proxy: String {
        let variable = "https_proxy=http://PROXY:PORT"
        guard let site else { return "give the service of this site a proxy: \(variable) in its environment" }
        return "give the service a proxy: systemctl edit \(site.service), with [Service] and Environment=\(variable)"
    }

    /// What corrects a proxy that does not answer.
    func correction(ofProxy proxy: String) -> String {
        let place = ProxyVariables.place(of: String(proxy.prefix { $0 != "=" }), in: site.map(SiteService.init))
        return "start or correct the proxy \(proxy), or remove the variable from \(place)"
    }

    private func change(_ verb: String) -> String {
        guard let site else { return "\(verb) the service of this site" }
        return "run: systemctl \(verb) \(site.service)"
    }

    /// The command that shows the last lines of the log.
    var lastLines: String {
        guard let site else { return "the last lines of the log of this site" }
        return "journalctl -u \(site.unit) -n 20"
    }
}
