/// Finds modules of lighttpd that are missing or in the wrong order.
struct LighttpdModules {
    let root: LighttpdBlock
    let scopes: [LighttpdScope]

    /// Modules that answer a request in the same phase as mod_fastcgi, with the setting that enables each.
    static let gateways = [
        "mod_proxy": "proxy.server", "mod_scgi": "scgi.server", "mod_ajp13": "ajp13.server",
        "mod_sockproxy": "sockproxy.server", "mod_uwsgi": "uwsgi.server", "mod_wstunnel": "wstunnel.server",
    ]

    func add(to review: inout ServerReview) {
        guard let setting = root.setting("server.modules") else { return }
        let modules = setting.value.members.compactMap(\.value.text)
        func position(_ name: String) -> Int? { modules.firstIndex(of: name) }
        let needed = ["mod_access", "mod_setenv", "mod_fastcgi"].filter { position($0) == nil }
        for name in needed {
            review.complain(setting.place, "\(name) is not in server.modules, but guards need it. Add it")
        }
        guard let fastcgi = position("mod_fastcgi") else { return }
        for (name, why) in [
            ("mod_setenv", "so guards get no rule"), ("mod_access", "so it rejects nothing"),
        ] {
            guard let own = position(name), own > fastcgi else { continue }
            review.complain(
                setting.place,
                "\(name) is after mod_fastcgi in server.modules, \(why). Move it before mod_fastcgi"
            )
        }
        for (name, use) in Self.gateways.sorted(by: { $0.key < $1.key }) {
            guard let own = position(name), own < fastcgi, scopes.contains(where: { $0.block.setting(use) != nil })
            else {
                continue
            }
            review.complain(
                setting.place,
                "\(name) is before mod_fastcgi in server.modules, so it responds without the guard. Move it after mod_fastcgi"
            )
        }
    }
}
