import Encoding
import Settings

/// Finds what print-config prints for the settings and the included files lack, such as the location of a page that a
/// setting enabled later.
struct NginxPrinted {
    let server: NginxServer
    let guards: [NginxGuard]
    let front: FrontEnd

    private var parts: NginxParts { NginxParts(front: front) }

    func add(to review: inout ServerReview) {
        guard server.sites.contains(parts.name.identifier) else { return }
        // Files of versions without claims serve a site whose applications get no groups.
        let unused = front.identities.filter { !review.identities.contains($0) }.map { "$\(parts.id)_\($0.variable)" }
        let missing = (ofHTTP + ofServer + ofLogin + ofGuards + limits).filter { !unused.contains(where: $0.contains) }
        guard !missing.isEmpty else { return }
        review.lacks(missing, of: server.included(parts.name.identifier), at: server.place)
    }

    private func directives(_ text: String) -> [NginxDirective] {
        NginxParser.directives(in: text[...], file: "")
    }

    private var ofHTTP: [String] {
        directives(parts.http).filter { expected in
            switch expected.name {
            case "map":
                !server.http.named("map").contains { map in
                    map.arguments == expected.arguments && map.block.map(\.text) == expected.block.map(\.text)
                }
            case "limit_req_zone": !server.http.named("limit_req_zone").contains { zone(of: $0) == zone(of: expected) }
            default: false
            }
        }.map(\.text)
    }

    private func zone(of directive: NginxDirective) -> Substring? {
        directive.arguments.first { $0.hasPrefix("zone=") }?.prefix { $0 != ":" }
    }

    /// The locations, without those of guards, which depend on the options of print-config.
    private var ofServer: [String] {
        let expected = directives(parts.server)
        let locations = expected.named("location").map { NginxLocation($0, within: []) }.filter { location in
            !location.path.hasPrefix(parts.internalPrefix)
                && !server.locations.contains { $0.kind == location.kind && $0.path == location.path }
        }
        let pages = server.block.named("error_page").flatMap(\.arguments)
        let unknown = expected.named("error_page").filter { $0.arguments.first.map(pages.contains) == false }
        return locations.map(\.text) + unknown.map(\.text)
    }

    /// The parameters that every location of linkedin-signin passes.
    private var ofLogin: [String] {
        guard let login else { return [] }
        let names = login.effective("fastcgi_param").compactMap(\.arguments.first)
        return directives(parts.parameters).named("fastcgi_param").filter { expected in
            expected.arguments.first.map(names.contains) == false
        }.map(\.text)
    }

    private var login: NginxLocation? {
        server.locations.first { $0.kind == .exact && $0.path == front.mount.path("/login") }
    }

    private var ofGuards: [String] {
        let expected = front.guarded.prefix(1).flatMap { directives(parts.guarding($0)) }.named("auth_request_set")
        let missing = own.flatMap { guarded in
            let names = guarded.location.effective("auth_request_set").compactMap(\.arguments.first)
            return expected.filter { $0.arguments.first.map(names.contains) == false }.map(\.text)
        }
        return missing.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private var own: [NginxGuard] { guards.filter { $0.site == parts.name.identifier } }

    /// Limits below those of the program; an operator may have raised them.
    private var limits: [String] {
        var missing: [String] = []
        let timeout = login?.effective("fastcgi_read_timeout").last?.arguments.first.flatMap(Quantity.seconds)
        if let timeout, timeout < front.readTimeout { missing.append("fastcgi_read_timeout \(front.readTimeout)s") }
        let signIn = server.locations.first { $0.kind == .named && $0.path == "@\(parts.id)_sign_in" }
        let size = signIn?.effective("client_max_body_size").last?.arguments.first.flatMap {
            Quantity.bytes($0.uppercased())
        }
        if let size, size > 0, size < front.maxBody {
            missing.append("client_max_body_size \(NginxParts.size(front.maxBody))")
        }
        return missing
    }
}
