import Encoding
import Sessions

extension SettingKey where Value == Mount {
    /// The public URL of the program.
    static func mount(_ name: String) -> Self {
        let setting = Setting(
            name,
            default: nil,
            values: "an https URL without query (http is accepted for loopback only)"
        )
        return Self(setting, fallback: .placeholder) { text, _ throws(WrongValue) in
            guard let url = WebURL(text), url.isSecure || url.isLoopback else {
                let remedy = "write a host name with other letters in its xn-- form"
                let isPlain = text.allSatisfy(\.isASCII)
                throw WrongValue(Advice("“\(text)” is not \(setting.values)", isPlain ? nil : remedy))
            }
            guard PlainPath.isPlainOrEmpty(url.path) else {
                let rule = "has a path with characters other than letters, digits, - . _ ~ and single slashes"
                throw WrongValue(message: "“\(text)” \(rule)")
            }
            let mount = Mount(url)
            guard !mount.prefix.hasSuffix("/oauth") else {
                let base = mount.origin + mount.prefix.dropLast("/oauth".utf8.count)
                let remedy = "write \(base), so that \(base)/oauth is the redirect URL"
                throw WrongValue(message: "“\(text)” ends in /oauth, which is added to it: \(remedy)")
            }
            return mount
        }
    }
}

extension SettingKey where Value == Place? {
    /// A page of the site or of another one.
    static func place(_ name: String) -> Self {
        let setting = Setting(name, default: "", values: "a path such as /members/ or an https URL")
        return Self(setting, fallback: nil) { text, reader throws(WrongValue) in
            let mount = reader.isSet(Setting.baseURL) ? reader.baseURL : .placeholder
            guard let place = Place(text, mount: mount) else {
                let rule = "(http: loopback only, no query); /login, /oauth and /logout cannot be used"
                throw WrongValue(message: "“\(text)” is not \(setting.values) \(rule)")
            }
            return place
        }
    }
}

extension SettingKey where Value == ProviderID? {
    /// The ID of a provider other than LinkedIn.
    static func providerID(_ name: String) -> Self {
        let values = "1 to 32 lower-case letters, digits and hyphens, except \(ProviderID.linkedIn)"
        return Self(optional: Setting(name, default: "", values: values)) { text in
            ProviderID(text).flatMap { $0 == .linkedIn ? nil : $0 }
        }
    }
}

extension SettingKey where Value == ListenAddress {
    /// Where the web server connects.
    static func listen(_ name: String) -> Self {
        let values = "one of unix:/PATH (at most 103 bytes), tcp:127.0.0.1:PORT, inherited"
        let setting = Setting(name, default: "", values: values, restart: true)
        return Self(setting, fallback: .automatic) { ListenAddress($0) }
    }
}

extension SettingKey where Value == ListenAddress? {
    /// An address for monitoring, which must not be that of the web server.
    static func admin(_ name: String) -> Self {
        let values = "one of unix:/PATH (at most 103 bytes), tcp:127.0.0.1:PORT"
        let setting = Setting(name, default: "", values: values, restart: true)
        return Self(setting, fallback: nil) { text, reader throws(WrongValue) in
            guard let address = ListenAddress(text), address != .inherited else {
                throw WrongValue.text(text, isNot: values)
            }
            guard address != reader.listen else {
                throw WrongValue(message: "is the same address as \(Setting.listen.name)")
            }
            return address
        }
    }
}

extension SettingKey where Value == Color? {
    static func color(_ name: String) -> Self {
        let values = "# with three or six hexadecimal digits, such as #0a66c2"
        return Self(optional: Setting(name, default: "", values: values)) { Color($0) }
    }
}

extension SettingKey where Value == Logo? {
    static func picture(_ name: String) -> Self {
        let values = "an absolute path of a file in SVG, PNG, WebP, JPEG or GIF, of at most 32K"
        return .file(name, values: values) { path throws(WrongValue) in
            do throws(Logo.Unusable) {
                return try Logo(path: path)
            } catch {
                throw WrongValue(error.advice.after("“\(path)” "))
            }
        }
    }
}

extension SettingKey where Value == PictureSources {
    static func pictureSources(_ name: String) -> Self {
        let setting = Setting(name, default: "", values: "origins separated by commas")
        return Self(setting, fallback: .linkedIn) { text, _ throws(WrongValue) in
            let origins = try Self.parts(of: text)
            do throws(InvalidPictureSource) {
                return try PictureSources(alsoFrom: origins)
            } catch {
                throw WrongValue(message: "\(error)")
            }
        }
    }
}
