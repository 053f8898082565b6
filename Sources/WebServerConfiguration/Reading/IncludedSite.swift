import Encoding
import Settings

/// A site whose files of print-config a web server uses, with the options that print them again.
struct IncludedSite {
    /// The identifier in names of the web server.
    let identifier: String
    /// The name of the site in names of files.
    let fileName: String
    let guarded: [GuardedLocation]
    /// The options besides those of the guards, in front of a space, such as `--write`.
    let options: String

    /// The option that writes include files to a directory, in front of a space; it need not name the directory of Debian.
    static func write(_ directory: String, usual: String) -> String {
        directory == usual ? " --write" : " --write \(ShellWord.quoted(directory))"
    }

    /// The host of the site, and its port if it has one, as browsers send them; nil if the file name does not tell.
    var authority: String? {
        guard SiteName.identifier(of: fileName) == identifier, !fileName.contains(":") else { return nil }
        return String(fileName.prefix { $0 != "+" }.replacing("_", with: ":"))
    }

    /// The site of this machine; nil if it is not on this machine, or if this user cannot read its settings.
    var installed: InstalledSite? {
        InstalledSite.first(except: nil) { sources in
            sources.baseURL.flatMap(WebURL.init).map { SiteName($0, Mount($0)).identifier } == identifier
        }
    }

    /// The option that names the site, in front of a space; by its host unless it is a site of this machine.
    fileprivate var option: String {
        let host = String(fileName.prefix { $0 != "_" && $0 != "+" })
        let name = installed.map(\.name) ?? host
        return name.map { " --site=\(ShellWord.quoted($0))" } ?? ""
    }
}

extension ServerReview {
    /// The command that prints the files of any site again, without the guard of a location if it names one.
    func command(for site: IncludedSite, without location: GuardedLocation? = nil) -> String {
        // Without settings, and on a machine without sites, only the operator knows where the settings are.
        let isOwn = name.map { $0.identifier == site.identifier } ?? InstalledSite.all.isEmpty
        let words = [isOwn ? options : site.option, site.guarded.filter { $0 != location }.options, site.options]
        return "linkedin-signin print-config \(server.rawValue)\(words.joined())"
    }
}

extension NginxServer {
    /// A site whose server file it includes.
    ///
    /// The guards are those of the locations, and then those that no location uses: only the operator knows whether they are
    /// needed.
    func included(_ identifier: String) -> IncludedSite {
        let own = guards.filter { $0.site == identifier }
        let used = locations.compactMap { location -> GuardedLocation? in
            guard let printed = location.asked.flatMap(NginxLocation.printed), printed.site == identifier else {
                return nil
            }
            let rule = NginxGuard(location, in: self)?.rule ?? GuardedLocation.unknownRule
            return GuardedLocation(path: printed.path, rule: rule)
        }
        let printed = NginxPrintedGuard.all(in: self).filter { $0.site == identifier }.map(\.guarded)
        let life = own.lazy.compactMap { guarded -> String? in
            guard guarded.question.effective("fastcgi_cache").last?.arguments.first != "off" else { return nil }
            return guarded.question.effective("fastcgi_cache_valid").last?.arguments.last
        }.first
        let mark = block.last { $0.name == "set" && $0.arguments.first == "$signin_\(identifier)_server" }
        let file = mark.map(\.place.file).flatMap { $0.hasSuffix("-server.conf") ? $0 : nil }
        let parts = file.map { $0.split(separator: "/") }
        let name = parts?.last.map { String($0.dropLast("-server.conf".count).trimmingPrefix("linkedin-signin-")) }
        let directory = parts.map { "/" + $0.dropLast().joined(separator: "/") }
        return IncludedSite(
            identifier: identifier,
            fileName: name ?? names.first ?? identifier,
            guarded: used + printed.filter { !used.contains($0) },
            options: (life.map { " --cache-verdicts \($0)" } ?? "")
                + (directory.map { IncludedSite.write($0, usual: "/etc/nginx/snippets") } ?? "")
        )
    }
}
