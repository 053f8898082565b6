/// The command of a service that starts the program.
enum StartCommand: Equatable {
    /// The program at a path, with arguments in which nothing is to be replaced.
    case serve(program: String, arguments: [String], setsEnvironment: Bool)
    /// Another command, such as a script.
    case other([String])

    /// - Parameter words: The words of `ExecStart=`.
    init(_ words: [String]) {
        self = .other(words)
        let (rest, setsEnvironment) = Self.words(behindEnv: words)
        guard let program = rest.first, program.split(separator: "/").last == "linkedin-signin",
            !rest.contains(where: { $0.contains("$") })
        else { return }
        self = .serve(program: program, arguments: Array(rest.dropFirst()), setsEnvironment: setsEnvironment)
    }

    /// The words of a command without the signs in front of its path, and without env and its variables.
    static func words(behindEnv words: [String]) -> (words: [String], setsEnvironment: Bool) {
        var rest = words.prefix(1).map { String($0.dropFirst(signs(words).count)) } + words.dropFirst()
        var setsEnvironment = false
        if rest.first == "/usr/bin/env" || rest.first == "env" {
            rest.removeFirst()
            while let word = rest.first, let equals = word.firstIndex(of: "=") {
                let name = word[..<equals]
                let isSetting = name != Setting.listen.name && Setting.all.contains { $0.name == name }
                setsEnvironment = setsEnvironment || isSetting
                rest.removeFirst()
            }
        }
        return (rest, setsEnvironment)
    }

    /// The characters in front of the path, which change how systemd runs the command (systemd.service(5)).
    static func signs(_ words: [String]) -> Substring { words.first?.prefix { "@-:+!|".contains($0) } ?? "" }

    /// The sign in front of the path that makes systemd start the program as root; nil without one (systemd.service(5)).
    ///
    /// With `!!`, the program runs as root only on systems without ambient capabilities.
    static func signOfRoot(_ words: [String]) -> String? {
        let signs = signs(words)
        return signs.contains("+") ? "+" : signs.contains("!") && !signs.contains("!!") ? "!" : nil
    }

    /// The settings file that an option names; nil without such an option.
    static func settingsFile(_ arguments: [String]) -> String? {
        var file: String?
        var options = arguments[...]
        while let word = options.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1)
            guard let name = parts.first, name == "--settings-file" || name == "--site",
                let value = parts.count == 2 ? String(parts[1]) : options.popFirst()
            else { continue }
            file = name == "--site" ? InstalledSite(named: value)?.settingsFile : value
        }
        return file
    }
}
