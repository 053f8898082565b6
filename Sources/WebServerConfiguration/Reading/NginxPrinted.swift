import Encoding
import Settings

/// Finds what print-config prints for the settings and the included files lack, such as the location of a page that a
/// setting enabled later.
struct NginxPrinted {
    let server: NginxServer
    let guards: [NginxGuard]
    let front: FrontEnd
    /// The options that name the settings, in front of a space.
    let options: String

    private var parts: NginxParts { NginxParts(front: front) }

    func add(to review: inout ServerReview) {
        guard server.sites.contains(parts.name.identifier) else { return }
        let missing = ofHTTP + ofServer + ofLogin + ofGuards + limits
        guard !missing.isEmpty else { return }
        review.lacks(missing, of: parts.name.fileName, at: server.directive.place, command: command)
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
        let locations = expected.named("location").map { NginxLocation($0, within: [], depth: 0) }.filter { location in
            !location.path.hasPrefix(parts.internalPrefix)
                && !server.locations.contains { $0.kind == location.kind && $0.path == location.path }
        }
        let pages = server.directive.block.named("error_page").flatMap(\.arguments)
        let unknown = expected.named("error_page").filter { $0.arguments.first.map(pages.contains) == false }
        return locations.map(\.directive.text) + unknown.map(\.text)
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

    /// The command that prints the files of this server again.
    private var command: String {
        var guarded = own.compactMap { guarded in
            NginxGuard.question(of: guarded.location).map { path in
                let path = String(path.dropFirst(parts.internalPrefix.count))
                return GuardedLocation(path: path, rule: guarded.rule ?? "member")
            }
        }
        // Those that the site does not use are printed again too: only the operator knows whether they are needed.
        guarded += NginxPrintedGuard.all(in: server).filter { $0.site == parts.name.identifier }.map(\.guarded)
        return "linkedin-signin print-config nginx\(options)\(guarded.options)\(cache)\(write)"
    }

    private var cache: String {
        let life = own.lazy.compactMap { guarded -> String? in
            guard guarded.question.effective("fastcgi_cache").last?.arguments.first != "off" else { return nil }
            return guarded.question.effective("fastcgi_cache_valid").last?.arguments.last
        }.first
        return life.map { " --cache-verdicts \($0)" } ?? ""
    }

    /// The option for include files, with their directory unless it is the usual one.
    private var write: String {
        let mark = server.directive.block.last { $0.name == "set" && $0.arguments.first == "$\(parts.id)_server" }
        guard let file = mark?.place.file, file.hasSuffix("-server.conf"), let slash = file.lastIndex(of: "/") else {
            return ""
        }
        let directory = String(file[..<slash])
        return directory == "/etc/nginx/snippets" ? " --write" : " --write \(ShellWord.quoted(directory))"
    }
}
