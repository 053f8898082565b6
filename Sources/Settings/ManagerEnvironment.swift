import POSIX

import class FoundationEssentials.FileManager

/// The settings in the environment that systemd passes to all services, which the files of no unit show.
enum ManagerEnvironment {
    /// Where the settings of systemd are (systemd-system.conf(5)).
    private static let directories = ["/etc", "/run", "/usr/local/lib", "/usr/lib"].map { "\($0)/systemd" }

    /// A message for each place of settings that a service gets.
    static func messages(_ service: SiteService) -> [String] {
        let name = service.site.service
        let effect = "to all services, and \(name) uses this environment in place of its settings file"
        let isUsed = { (name: String) in
            let isSetting = name.hasPrefix("SIGNIN_") || Setting.all.contains { $0.name == name }
            return isSetting && service.placeInUnit(of: name) == nil
        }
        var known: Set<String> = []
        var messages: [String] = []
        for (file, variables) in files {
            let names = Self.names(variables).filter(isUsed)
            guard !names.isEmpty else { continue }
            known.formUnion(names)
            let list = names.joined(separator: ", ")
            messages.append(
                "\(file): with DefaultEnvironment=, systemd passes \(list) \(effect): remove \(list) from this file, then run: "
                    + "systemctl daemon-reload"
            )
        }
        let names = Self.names(ServiceManager.environment).filter { isUsed($0) && !known.contains($0) }
        guard !names.isEmpty else { return messages }
        return messages + [
            "systemd passes \(names.joined(separator: ", ")) (systemctl show-environment) \(effect): run: systemctl "
                + "unset-environment \(names.joined(separator: " "))"
        ]
    }

    private static func names(_ variables: [String]) -> [String] {
        Set(variables.map { String($0.prefix { $0 != "=" }) }).sorted()
    }

    /// The files of systemd's own settings, with the variables that they set for all services.
    private static var files: [(path: String, variables: [String])] {
        let paths = directories.flatMap { directory in
            let folder = "\(directory)/system.conf.d"
            let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
            return ["\(directory)/system.conf"] + names.filter { $0.hasSuffix(".conf") }.map { "\(folder)/\($0)" }
        }
        return paths.compactMap { path in
            guard let text = (try? OperatorFile(path))?.text else { return nil }
            return (path, SystemdUnit("system.conf", texts: [text]).words("DefaultEnvironment"))
        }
    }
}
