import POSIX

/// The lines of drop-in files that could keep a unit from starting, and of which only a start shows the effect.
enum UncertainLines {
    /// A message for each `Conflicts=`, and one for each file with other such lines; nothing about the known directives.
    static func messages(_ unit: SystemdUnit, besides known: Set<String>) -> [(message: String, isConflict: Bool)] {
        let all = unit.additions.filter { line in
            !isHarmless(line) && SiteService.condition(line) == nil && !known.contains(line.key)
        }
        let conflicts = all.filter { $0.key == "Conflicts" }.map { line in
            "\(line.place) sets Conflicts=\(line.value), so systemd stops \(line.value) when it starts \(unit.name): if the site "
                + "needs \(line.value), remove the line: \(unit.edit(line))"
        }
        let files = Dictionary(grouping: all.filter { $0.key != "Conflicts" }, by: \.file).sorted { $0.key < $1.key }
        let starts = files.map { file, lines in
            let keys = Set(lines.map { "\($0.key)=" }).sorted().joined(separator: ", ")
            return
                "\(file) sets \(keys), and check cannot tell whether \(unit.name) starts with this file: after a restart, run: "
                + "systemctl status \(unit.name)"
        }
        return conflicts.map { ($0, true) } + starts.map { ($0, false) }
    }

    private static func isHarmless(_ line: SystemdUnit.Addition) -> Bool {
        let isKnown =
            switch Directive.judge(of: line.key) {
            case .findings: isDecided(line)
            case .start: isRaised(line)
            case .nothing: true
            }
        // A condition, a command and a limit have no values that turn them off.
        let isSwitch = !["Assert", "Condition", "Exec", "Limit", "Memory", "Tasks"].contains(where: line.key.hasPrefix)
        let isOff = isSwitch && ["no", "false", "off", "0"].contains(line.value.lowercased())
        return isKnown || isOff || line.key.hasPrefix("X-")
    }

    /// Whether findings decide about this value of a directive that they are about.
    private static func isDecided(_ line: SystemdUnit.Addition) -> Bool {
        switch line.key {
        case "EnvironmentFile", "WorkingDirectory": line.value.hasPrefix("-") || isPlain(line.value)
        // The service and its socket order each other.
        case "After", "Before": !line.value.contains("linkedin-signin")
        case "LoadCredential": SiteService.usesCredential(line.value)
        case "Type": ["exec", "idle", "notify", "simple"].contains(line.value)
        case "ListenStream":
            line.value.hasPrefix("/run/") && [nil, .socket].contains((try? FileStatus(path: line.value))?.kind)
        // Others can change how libraries and systemd's own parts of the program work.
        case "Environment":
            SystemdUnit.words(line.value).map { $0.prefix { $0 != "=" } }.allSatisfy { name in
                ["LINKEDIN_", "PROVIDER_", "SIGNIN_"].contains(where: name.hasPrefix)
                    || name.lowercased().hasSuffix("_proxy") || name == "TZ"
                    || SiteService.variablesOfSystemd.contains(String(name))
            }
        default: true
        }
    }

    /// Whether a text is an absolute path without characters that stand for other text.
    static func isPlain(_ path: String) -> Bool {
        path.hasPrefix("/") && !path.contains { "*?[%$".contains($0) }
    }

    /// Whether a line gives the service at least as much of something as it needs to start.
    private static func isRaised(_ line: SystemdUnit.Addition) -> Bool {
        guard line.value != "infinity" else { return true }
        // The unit of the package has no MemoryHigh=, and more than this MemoryMax=.
        let needed = line.key == "MemoryHigh" ? "256M" : line.packaged
        guard ["MemoryHigh", "MemoryMax", "TasksMax"].contains(line.key), let given = amount(line.value),
            let needed = needed.flatMap(amount)
        else { return false }
        return given >= needed
    }

    /// The number of a limit, in which systemd multiplies by powers of 1024; nil for a percentage.
    static func amount(_ text: String) -> Double? {
        guard let power = text.last.flatMap({ Array("KMGT").firstIndex(of: $0) }) else { return Double(text) }
        return Double(text.dropLast()).map { $0 * Double(1 << (10 * (power + 1))) }
    }
}
