import OpenID
import Sessions

extension SettingKey where Value == Int {
    static func number(_ name: String, _ numbers: NumberRange, _ preset: String, restart: Bool = false) -> Self {
        let values = numbers.description
        let setting = Setting(name, default: preset, values: values, numbers: numbers, restart: restart)
        return Self(setting, fallback: numbers.range.lowerBound, accept: numbers.read)
    }
}

extension SettingKey where Value == Int? {
    /// A time, or `off`.
    static func secondsOrOff(_ name: String, _ range: ClosedRange<Int>, check: @escaping Check) -> Self {
        let numbers = NumberRange.seconds(range)
        let setting = Setting(name, default: "off", values: "off, or \(numbers.description)", numbers: numbers)
        return Self(setting, fallback: nil) { text, reader throws(WrongValue) in
            guard text != "off" else { return nil }
            guard let seconds = numbers.read(text) else {
                throw WrongValue.neither(text, norOneOf: setting.valuesWithExample)
            }
            try check(&reader)
            return seconds
        }
    }

    typealias Check = @Sendable (inout SettingsReader) throws(WrongValue) -> Void
}

extension SettingKey where Value == Bool {
    static func yes(_ name: String, preset: Bool = false) -> Self {
        Self(Setting(name, default: preset ? "yes" : "no", values: "one of yes, no"), fallback: preset) { text in
            text == "yes" ? true : text == "no" ? false : nil
        }
    }
}

extension SettingKey where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    static func choice(_ name: String, _ preset: Value) -> Self {
        Self(Setting(name, default: preset.rawValue, values: values), fallback: preset) { Value(rawValue: $0) }
    }

    fileprivate static var values: String { "one of " + Value.allCases.map(\.rawValue).joined(separator: ", ") }
}

extension SettingKey {
    /// A choice without a default.
    static func choice<Choice>(_ name: String) -> Self
    where Value == Choice?, Choice: RawRepresentable & CaseIterable & Sendable, Choice.RawValue == String {
        Self(optional: Setting(name, default: "", values: SettingKey<Choice>.values)) { Choice(rawValue: $0) }
    }
}

extension SettingKey where Value == String {
    static func required(_ name: String, secret: Bool = false) -> Self {
        Self(Setting(name, default: nil, values: "text", secret: secret), fallback: "") { $0 }
    }

    static func path(_ name: String, _ preset: String, restart: Bool) -> Self {
        let setting = Setting(name, default: preset, values: "an absolute path", restart: restart)
        return Self(setting, fallback: preset) { $0.hasPrefix("/") ? $0 : nil }
    }
}

extension SettingKey where Value == String? {
    static func text(_ name: String, _ values: String = "text", secret: Bool = false, restart: Bool = false) -> Self {
        Self(optional: Setting(name, default: "", values: values, secret: secret, restart: restart)) { $0 }
    }

    /// Text for people; the pages have room for a limited number of characters.
    static func words(_ name: String, limit: Int? = nil) -> Self {
        let values = limit.map { "text of at most \($0) characters without control characters" } ?? "text"
        return Self(optional: Setting(name, default: "", values: values, use: .words)) { text in
            let isLong = limit.map { text.count > $0 } ?? false
            let isControlled = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
            return isLong || (limit != nil && isControlled) ? nil : text
        }
    }

    /// A file with a secret, which `SettingSources` reads.
    static func secretFile(_ name: String, restart: Bool = false) -> Self {
        Self(optional: Setting(name, default: "", values: "an absolute path", restart: restart, use: .file)) { $0 }
    }

    /// A file or directory; a relative path would name another one for the service than for the commands of an operator.
    static func file(
        _ name: String,
        check: @escaping @Sendable (_ path: String) throws(WrongValue) -> Void = { _ throws(WrongValue) in }
    ) -> Self {
        .file(name, values: "an absolute path") { path throws(WrongValue) in
            try check(path)
            return path
        }
    }

    /// The URL of an endpoint that receives secrets: https, or http for loopback only.
    static func endpoint(_ name: String, mayHaveQuery: Bool = false) -> Self {
        let parts = mayHaveQuery ? "" : " without query and user"
        let values = "an https URL\(parts) (http is accepted for loopback only)"
        return Self(optional: Setting(name, default: "", values: values)) { text in
            let url = WebURL(mayHaveQuery ? String(text.prefix { $0 != "?" }) : text)
            return url.map { $0.isSecure || $0.isLoopback } == true ? text : nil
        }
    }
}

extension SettingKey where Value: ExpressibleByNilLiteral {
    /// What is read from a file or directory.
    static func file(
        _ name: String,
        values: String,
        read: @escaping @Sendable (_ path: String) throws(WrongValue) -> Value
    ) -> Self {
        Self(Setting(name, default: "", values: values, use: .file), fallback: nil) { text, _ throws(WrongValue) in
            guard text.hasPrefix("/") else { throw WrongValue(message: "“\(text)” is not an absolute path") }
            return try read(text)
        }
    }
}

extension SettingKey where Value == [String] {
    /// Parts between separators; a text with separators only is rejected, because an empty list may mean everyone.
    static func list(_ name: String, _ parts: String, separator: Character = ",", preset: String = "") -> Self {
        let values = "\(parts) separated by \(separator == "," ? "commas" : "spaces")"
        return Self(Setting(name, default: preset, values: values), fallback: []) { text, _ throws(WrongValue) in
            try Self.parts(of: text, separator)
        }
    }
}

extension SettingKey {
    static func parts(of text: String, _ separator: Character = ",") throws(WrongValue) -> [String] {
        let parts = text.split(separator: separator).map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
        guard !parts.isEmpty else { throw WrongValue(message: "the list “\(text)” is empty") }
        return parts
    }
}

extension SettingKey where Value == AuthorizationParameters {
    static func authorizationParameters(_ name: String) -> Self {
        let setting = Setting(
            name,
            default: "",
            values: "parameters in the form of a query; parameters of the protocol, such as `state` and `scope`, are "
                + "errors"
        )
        return Self(setting, fallback: AuthorizationParameters()) { text, _ throws(WrongValue) in
            do throws(AuthorizationParameters.Unusable) {
                return try AuthorizationParameters(parsing: text)
            } catch {
                throw WrongValue(message: error.message)
            }
        }
    }
}

// MARK: - Claims

extension SettingKey where Value == String? {
    /// The name of a claim.
    static func claim(_ name: String) -> Self {
        Self(optional: Setting(name, default: "", values: "the name of a claim")) { ClaimName.isName($0) ? $0 : nil }
    }
}

extension SettingKey where Value == [String] {
    /// The maximum length of the name of a claim in a header field: with `X-Auth-Claim-`, nginx's table of FastCGI parameters, whose
    /// size cannot be set, has room for 46 bytes.
    private static var longestField: Int { 33 }

    /// Names of claims; with `areFields`, names that are different header fields too.
    static func claims(_ name: String, areFields: Bool = false) -> Self {
        let values =
            "at most 16 names of claims separated by commas or spaces"
            + (areFields ? ", each with at most \(longestField) characters" : "")
        return Self(Setting(name, default: "", values: values), fallback: []) { text, _ throws(WrongValue) in
            let names = text.split { $0 == "," || $0.isWhitespace }.map(String.init)
            guard 1...16 ~= names.count else { throw WrongValue.text(text, isNot: values) }
            for name in names where !ClaimName.isName(name) {
                throw WrongValue(message: "“\(name)” is not the name of a claim: use ASCII without quotes and %")
            }
            if areFields, let long = names.first(where: { $0.utf8.count > longestField }) {
                throw WrongValue(
                    message: "“\(long)” has more than \(longestField) characters, which nginx cannot pass on"
                )
            }
            let fields = Set(names.map { $0.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" } })
            guard !areFields || fields.count == names.count else {
                throw WrongValue(message: "two of these names give the same header field")
            }
            return names
        }
    }
}
