/// A setting of `/control/settings`: its name, and how to read and change its value.
struct ControlSetting {
    let name: String
    let get: (Settings) -> JSON
    /// False if the value has the wrong type.
    let set: (inout Settings, JSON) -> Bool

    static var all: [ControlSetting] {
        [
            text("client-id", \.clientID),
            text("client-secret", \.clientSecret),
            list("redirect-uris", \.redirectURIs),
            list("scopes", \.scopes),
            ControlSetting(
                name: "issuer",
                get: { .string($0.issuer) },
                set: { settings, value in
                    guard case .string(let issuer) = value else { return false }
                    settings.issuerOverride = issuer.isEmpty ? nil : issuer
                    return true
                }
            ),
            flag("oidc", \.isStandard),
            flag("v1", \.isV1Alive),
            flag("refresh-tokens", \.issuesRefreshTokens),
            flag("rotate-refresh-tokens", \.rotatesRefreshTokens),
            flag("token-type", \.namesTokenType),
            number("consenting-member", \.consentingMember),
            flag("remember-consent", \.remembersConsent),
            number("code-lifetime", \.codeLifetime),
            number("access-token-lifetime", \.accessTokenLifetime),
            number("refresh-token-lifetime", \.refreshTokenLifetime),
            number("id-token-lifetime", \.idTokenLifetime),
            number("key-bits", \.keyBits),
            number("clock-offset", \.clockOffset),
            number("time-shift", \.timeShift),
        ]
    }

    private static func text(_ name: String, _ path: WritableKeyPath<Settings, String>) -> ControlSetting {
        ControlSetting(
            name: name,
            get: { .string($0[keyPath: path]) },
            set: { settings, value in
                guard case .string(let text) = value else { return false }
                settings[keyPath: path] = text
                return true
            }
        )
    }

    /// A JSON array, or text with spaces as separators.
    private static func list(_ name: String, _ path: WritableKeyPath<Settings, [String]>) -> ControlSetting {
        ControlSetting(
            name: name,
            get: { .array($0[keyPath: path].map { .string($0) }) },
            set: { settings, value in
                switch value {
                case .string(let text): settings[keyPath: path] = text.split(separator: " ").map(String.init)
                case .array(let values): settings[keyPath: path] = values.compactMap(\.string)
                case .null, .bool, .int, .number, .object, .nested: return false
                }
                return true
            }
        )
    }

    /// True or false; in a form also 1, 0, on or off.
    private static func flag(_ name: String, _ path: WritableKeyPath<Settings, Bool>) -> ControlSetting {
        ControlSetting(
            name: name,
            get: { .bool($0[keyPath: path]) },
            set: { settings, value in
                switch value {
                case .bool(let flag): settings[keyPath: path] = flag
                case "true", "1", "on", 1: settings[keyPath: path] = true
                case "false", "0", "off", 0: settings[keyPath: path] = false
                case .null, .int, .number, .string, .array, .object, .nested: return false
                }
                return true
            }
        )
    }

    private static func number(_ name: String, _ path: WritableKeyPath<Settings, Int>) -> ControlSetting {
        ControlSetting(
            name: name,
            get: { .int($0[keyPath: path]) },
            set: { settings, value in
                guard let number = value.integer else { return false }
                settings[keyPath: path] = number
                return true
            }
        )
    }
}

extension Settings {
    /// All settings by name.
    var json: JSONObject {
        JSONObject(ControlSetting.all.map { ($0.name, $0.get(self)) })
    }

    /// Changes a setting.
    ///
    /// - Parameters:
    ///   - name: the name of the setting.
    ///   - value: the value; in a form every value is text.
    /// - Throws: if there is no such setting, or the value has the wrong type.
    mutating func set(_ name: String, to value: JSON) throws(ControlError) {
        guard let setting = ControlSetting.all.first(where: { $0.name == name }) else {
            throw .unknown("setting", name, known: ControlSetting.all.map(\.name))
        }
        guard setting.set(&self, value) else { throw .invalid(name, value.text) }
    }
}
