import Settings

extension LighttpdReview {
    /// Modules that answer a request in the same phase as mod_fastcgi, with the setting that enables each.
    static let gateways = [
        "mod_proxy": "proxy.server", "mod_scgi": "scgi.server", "mod_ajp13": "ajp13.server",
        "mod_sockproxy": "sockproxy.server", "mod_uwsgi": "uwsgi.server", "mod_wstunnel": "wstunnel.server",
    ]

    /// Finds modules of lighttpd that are missing or in the wrong order.
    func checkModules(_ review: inout ServerReview) {
        guard let setting = root.setting("server.modules") else { return }
        for (name, use, remedy) in missingModules {
            review.complain(setting.place, "\(name) is not in server.modules, but \(use). \(remedy)")
        }
        checkEncryption(at: setting.place, &review)
        guard let fastcgi = modules.firstIndex(of: "mod_fastcgi") else { return }
        for (name, why) in [("mod_setenv", "so guards get no rule"), ("mod_access", "so it rejects nothing")]
        where modules[fastcgi...].contains(name) && !modules[..<fastcgi].contains(name) {
            review.complain(
                setting.place,
                "\(name) is after mod_fastcgi in server.modules, \(why). Move it before mod_fastcgi"
            )
        }
        for (name, use) in Self.gateways.sorted(by: { $0.key < $1.key })
        where modules[..<fastcgi].contains(name) && !scopes.having(use).isEmpty {
            review.complain(
                setting.place,
                "\(name) is before mod_fastcgi in server.modules, so it responds without the guard. Move it after mod_fastcgi"
            )
        }
    }

    private var modules: [String] {
        root.setting("server.modules")?.value.members.compactMap(\.value.text) ?? []
    }

    /// The modules that guards need and that lighttpd does not load, and where each belongs.
    var missingModules: [(name: String, use: String, remedy: String)] {
        let first = "Add it before mod_fastcgi"
        let expires = guards.contains { $0.block.setting("expire.url") != nil }
        let use = "guards set expire.url, so that no cache serves their pages without the guard"
        let needed =
            [
                ("mod_access", "guards need it", first), ("mod_setenv", "guards need it", first),
                ("mod_fastcgi", "guards need it", "Add it after mod_access and mod_setenv"),
            ] + (expires ? [("mod_expire", use, first)] : [])
        return needed.filter { !modules.contains($0.0) }
    }

    /// Finds TLS that is configured without its module, which lighttpd loads by itself unless the operator disables this.
    private func checkEncryption(at place: SourcePlace, _ review: inout ServerReview) {
        guard let site = sites.first(where: \.address.isSecure),
            root.setting("server.compat-module-load")?.value.text == "disable",
            scopes.contains(where: { $0.block.setting("ssl.engine")?.value.text == "enable" }),
            !["openssl", "gnutls", "mbedtls", "nss", "wolfssl"].contains(where: { modules.contains("mod_" + $0) })
        else { return }
        review.complain(
            place,
            "ssl.engine is enabled, but server.modules has no module for TLS, and server.compat-module-load is disabled, so "
                + "nobody can open \(site.address). Add mod_openssl"
        )
    }
}
