import Encoding

import class FoundationEssentials.FileManager

/// The lines of a systemd unit and of its drop-in files (systemd.unit(5), systemd.syntax(7)).
///
/// It is read from the files, because a service that does not run has settings to check too, and because a machine without
/// systemd can have the files.
package struct SystemdUnit: Sendable {
    /// Where units are, the most important place first.
    private static let directories = [
        "/etc/systemd/system.control", "/run/systemd/system.control", "/run/systemd/transient",
        "/run/systemd/generator.early", "/etc/systemd/system", "/run/systemd/system", "/run/systemd/generator",
        "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system",
        "/run/systemd/generator.late",
    ]

    let name: String
    private var assignments: [String: [String]] = [:]
    /// The numbers of the lines that assign a value, by both as `key=value`.
    private var lines: [String: Int] = [:]
    /// The lines that systemd ignores, because they are in a section to which they do not belong: `[Servic] User=`.
    private var misplaced: [String] = []
    /// The files with such lines.
    private(set) var ignored: [(file: String, lines: [String])] = []
    /// A line that the file of the package does not have.
    struct Addition: Sendable {
        let key: String
        let value: String
        let file: String
        let place: String
        /// The last value in the file of the package.
        let packaged: String?
    }

    /// The lines in effect of drop-in files, and of a file that replaces that of the package.
    private(set) var additions: [Addition] = []
    /// The empty lines that remove all values of a directive, by its name.
    private var removals: [String: Addition] = [:]
    /// A unit whose file is in the place of another unit.
    enum Misplaced: Equatable {
        case ofSite(InstalledSite)
        /// The unit of all sites with a name: `%i` is empty in a unit without `@`, so its lines name no site (systemd.unit(5)).
        case template
    }

    /// The file that hides that of the package, an empty or a misplaced one, or a misplaced file without the package; or nil.
    private(set) var mask: (path: String, unit: Misplaced?, hidesFile: Bool)?
    package var isMasked: Bool { mask != nil }

    /// Reads a unit of this machine; nil if there is none of this name.
    ///
    /// - Parameter name: The name, such as `linkedin-signin@example.org.service`.
    package init?(named name: String) {
        let (base, type) = Self.split(name)
        let template = base.firstIndex(of: "@").map { base[...$0] + type }
        let names = [name, template.map(String.init)].compactMap(\.self)
        let places = names.flatMap { name in Self.directories.map { "\($0)/\(name)" } }
        let found = places.compactMap(Self.read)
        guard let first = found.first, let last = found.last else { return nil }
        // Behind a mask, the unit says what systemd will do after the mask is removed.
        let other = Self.misplaced(at: name, first.text)
        var file = found.first { !$0.text.isEmpty && Self.misplaced(at: name, $0.text) == nil } ?? first
        let hidesFile = first.path != file.path
        var packagedText = last.text
        if other == .template, !hidesFile {
            file.text = Self.withoutInstance(file.text)
            packagedText = file.text
        }
        let files = [file] + Self.dropIns(names + Self.shared(base, type)).compactMap(Self.read)
        self.init(name, texts: files.map(\.text))
        if first.text.isEmpty || hidesFile || other == .template { mask = (first.path, other, hidesFile) }
        let packaged = Self(name, texts: [packagedText])
        ignored = files.map { ($0.path, Self(name, texts: [$0.text]).misplaced) }.filter { !$0.1.isEmpty }
        for (path, text) in files {
            let own = Self(name, texts: [text])
            for key in own.assignments.keys where own.values(key).isEmpty && values(key).isEmpty {
                let place = "\(path):\(own.lines["\(key)="] ?? 1)"
                removals[key] = Addition(key: key, value: "", file: path, place: place, packaged: nil)
            }
        }
        additions = files.flatMap { path, text in
            let own = Self(name, texts: [text])
            return own.assignments.sorted { $0.key < $1.key }.flatMap { key, values in
                values.filter { self.values(key).contains($0) && !packaged.values(key).contains($0) }.map { value in
                    let line = own.lines["\(key)=\(value)"].map { ":\($0)" } ?? ""
                    let packaged = packaged.value(key)
                    return Addition(key: key, value: value, file: path, place: path + line, packaged: packaged)
                }
            }
        }
    }

    /// - Parameters:
    ///   - name: The name of the unit, for its specifiers.
    ///   - texts: The unit and its drop-in files, in the order in which systemd reads them.
    package init(_ name: String, texts: [String]) {
        self.name = name
        for text in texts { add(text) }
    }

    /// The unit that a file in the place of a unit is a copy of; nil if it is in its own place.
    private static func misplaced(at name: String, _ text: String) -> Misplaced? {
        if [InstalledSite.unnamed.service, InstalledSite.unnamed.socketUnit].contains(name) {
            let (base, type) = split(name)
            let template = Self("\(base)@%i\(type)", texts: [text])
            let words = template.words("ExecStart") + template.values("ListenStream")
            if words.contains(where: { $0.contains("%i") }) { return .template }
        }
        guard case .serve(_, let arguments, _) = StartCommand(Self(name, texts: [text]).words("ExecStart")) else {
            return nil
        }
        let site = StartCommand.settingsFile(arguments).flatMap(InstalledSite.init(settingsFile:))
        return site?.service == name ? nil : site.map(Misplaced.ofSite)
    }

    /// The lines of the template as the unit of the site without a name has them.
    private static func withoutInstance(_ text: String) -> String {
        text.replacing("/%i.socket", with: "/socket").replacing("-%i", with: "").replacing("@%i", with: "")
            .replacing("/%i/", with: "/")
    }

    /// The names whose drop-in files several units have: `a-.service` for `a-b.service`, and `service`.
    private static func shared(_ base: Substring, _ type: Substring) -> [String] {
        let prefix = base.prefix { $0 != "@" }
        let dashes = prefix.indices.dropLast().filter { prefix[$0] == "-" }
        return dashes.reversed().map { "\(prefix[...$0])\(type)" } + [String(type.dropFirst())]
    }

    /// The paths of drop-in files, in the order in which systemd reads them.
    private static func dropIns(_ names: [String]) -> [String] {
        var found: [String: String] = [:]
        for name in names.reversed() {
            for directory in directories.reversed() {
                let folder = "\(directory)/\(name).d"
                for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                where file.hasSuffix(".conf") { found[file] = "\(folder)/\(file)" }
            }
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Whether a target starts the unit with the machine: `systemctl enable` makes a link in the folder of the target.
    static func isEnabled(_ name: String) -> Bool {
        directories.contains { directory in
            let folders = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
            return folders.contains { folder in
                let link = "\(directory)/\(folder)/\(name)"
                return folder.hasSuffix(".wants")
                    && (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != nil
            }
        }
    }

    private static func read(_ path: String) -> (path: String, text: String)? {
        (try? OperatorFile(path)).map { (path, $0.text) }
    }

    private mutating func add(_ text: String) {
        var (pending, section) = ("", "")
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmed(while: \.isWhitespace)
            if line.first == "#" || line.first == ";" { continue }
            if line.last == "\\" {
                pending += line.dropLast() + " "
                continue
            }
            let whole = pending + line
            pending = ""
            if whole.first == "[" { section = whole }
            guard let equals = whole.firstIndex(of: "=") else { continue }
            let key = String(whole[..<equals].trimmed(while: \.isWhitespace))
            let value = String(whole[whole.index(after: equals)...].trimmed(while: \.isWhitespace))
            guard isRead(key, in: section) else {
                // systemd leaves such sections to other programs.
                if !section.hasPrefix("[X-") { misplaced.append("\(section) \(key)=") }
                continue
            }
            // An empty value removes what earlier lines have said.
            assignments[key] = value.isEmpty ? [] : (assignments[key] ?? []) + [expanded(value)]
            lines["\(key)=\(expanded(value))"] = index + 1
            // systemd also forgets the mode of the directories then.
            if value.isEmpty, key.hasSuffix("Directory") { assignments[key + "Mode"] = nil }
        }
    }

    /// Whether systemd reads a line in a section; for some lines of services and sockets only, which this program needs.
    private func isRead(_ key: String, in section: String) -> Bool {
        switch section {
        case "": true
        case "[Install]": Directive.section(of: key) == nil
        case "[Unit]": Directive.section(of: key) != .own
        case ownSection: Directive.section(of: key) != .unit
        default: false
        }
    }

    /// `[Service]` or `[Socket]`, or the section of systemd's own settings.
    var ownSection: String {
        [".conf": "[Manager]", ".socket": "[Socket]"][String(Self.split(name).type)] ?? "[Service]"
    }

    /// All values of a setting that may be repeated.
    package func values(_ key: String) -> [String] { assignments[key] ?? [] }

    /// The line that sets or removes the value of a directive, or one with a word; nil if the file of the package does.
    func line(_ key: String, with word: String? = nil) -> Addition? {
        removals[key]
            ?? additions.last { line in
                line.key == key && (word.map(Self.words(line.value).contains) ?? (line.value == value(key)))
            }
    }

    /// What opens the file of a line in an editor: `systemctl edit` opens only one file of this unit.
    func edit(_ line: Addition?) -> String {
        guard let file = line?.file, !file.hasSuffix("/\(name).d/override.conf") else {
            return "systemctl edit \(name)"
        }
        return "edit \(file), then run: systemctl daemon-reload"
    }

    /// What removes the line that sets a value.
    func removal(of key: String) -> String {
        let (edit, text) = (edit(line(key)), "remove the line \(key)=\(value(key) ?? "")")
        return edit.hasPrefix("systemctl") ? "run: \(edit), and \(text)" : "\(text): \(edit)"
    }

    /// What gives the unit lines: the last file with one of the directives decides.
    func writing(_ lines: [String]) -> String {
        let present = lines.compactMap { line(String($0.prefix { $0 != "=" })) }
        let name = { (line: Addition) in line.file.split(separator: "/").last ?? "" }
        let edit = edit(present.max { name($0) < name($1) })
        let text = "write these lines: \(ownSection), \(lines.joined(separator: ", "))"
        return edit.hasPrefix("systemctl") ? "run: \(edit), and \(text)" : "\(text): \(edit)"
    }

    /// A problem of this unit at a line.
    func problem(_ advice: Advice, at line: Addition?) -> ConfigurationError.Problem {
        .init(subject: name, advice.about(line.map { [$0.key] } ?? []), place: line?.place)
    }

    /// The value of a setting; nil if the unit does not set it.
    package func value(_ key: String) -> String? { values(key).last }

    /// The permissions in a setting; nil without a valid value, because systemd ignores the others.
    func mode(_ key: String) -> UInt32? { values(key).compactMap { UInt32($0, radix: 8) }.last { $0 <= 0o7777 } }

    /// Whether a setting is true.
    package func isOn(_ key: String) -> Bool {
        ["yes", "true", "on", "1"].contains(value(key)?.lowercased() ?? "")
    }

    /// The words of all values of a setting, without quotation marks.
    package func words(_ key: String) -> [String] { values(key).flatMap(Self.words) }

    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in text {
            if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "\"" || character == "'" {
                (quote, word) = (character, word ?? "")
            } else if character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap(\.self)
    }

    /// The line of the unit that hides a path from its processes; nil if they see the path.
    func lineHiding(_ path: String) -> String? {
        var hidden: [(String, String)] = []
        if let text = value("ProtectHome"), isOn("ProtectHome") || text == "tmpfs" {
            hidden += ["/home", "/root", "/run/user"].map { ($0, "ProtectHome=\(text)") }
        }
        if let text = value("PrivateTmp"), isOn("PrivateTmp") {
            hidden += ["/tmp", "/var/tmp"].map { ($0, "PrivateTmp=\(text)") }
        }
        for key in Self.hiding { hidden += words(key).map { (SiteService.mounted($0), "\(key)=\($0)") } }
        let shown = ["BindPaths", "BindReadOnlyPaths"].flatMap(words).compactMap { word in
            word.split(separator: ":").prefix(2).last.map { SiteService.mounted(String($0)) }
        }
        return hidden.first { directory, line in
            guard SiteService.contains(directory, path) else { return false }
            // These lines leave an empty directory, in which others show what systemd mounts there.
            let isEmpty = line.hasPrefix("TemporaryFileSystem=") || line == "ProtectHome=tmpfs"
            return !isEmpty || !shown.contains { SiteService.contains(directory, $0) && SiteService.contains($0, path) }
        }?.1
    }

    /// The directives whose paths the processes of the unit do not see.
    static let hiding = ["InaccessiblePaths", "TemporaryFileSystem"]

    /// The address families of these that `RestrictAddressFamilies=` keeps from the processes of the unit.
    func missingFamilies(of needed: Set<String>) -> [String] {
        var allowed: Set<String>?
        for value in values("RestrictAddressFamilies") {
            if value == "none" { allowed = [] }
            let names = Set(value.drop { $0 == "~" }.split(separator: " ").map(String.init))
            allowed = value.hasPrefix("~") ? (allowed ?? needed).subtracting(names) : (allowed ?? []).union(names)
        }
        return needed.subtracting(allowed ?? needed).sorted()
    }

    /// The name of the unit without its type and instance.
    package var prefix: String {
        let base = Self.split(name).base
        return String(base.prefix { $0 != "@" })
    }

    /// The user that systemd starts the program as; nil for root.
    var userName: String? { value("User") ?? (isOn("DynamicUser") ? prefix : nil) }

    private static func split(_ name: String) -> (base: Substring, type: Substring) {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        return (name[..<dot], name[dot...])
    }

    /// Replaces the specifiers that stand for a part of the name.
    private func expanded(_ value: String) -> String {
        let base = Self.split(name).base
        let instance = base.firstIndex(of: "@").map { base[base.index(after: $0)...] } ?? ""
        var (text, isSpecifier) = ("", false)
        for character in value {
            guard isSpecifier else {
                if character == "%" { isSpecifier = true } else { text.append(character) }
                continue
            }
            isSpecifier = false
            switch character {
            case "i", "I": text += instance
            case "n": text += name
            case "N": text += base
            case "p", "P": text += prefix
            case "E": text += "/etc"
            case "S": text += "/var/lib"
            case "t": text += "/run"
            case "%": text += "%"
            default: text += "%\(character)"
            }
        }
        return text
    }
}
