/// Finds applications behind a guard that get the personal tokens of scripts.
struct NginxTokens {
    let guarded: NginxGuard
    let server: NginxServer

    /// How nginx passes a request, the directive that replaces a field of it, and the name of `Authorization` there.
    private static let ways = [
        ("proxy_pass", "proxy_set_header", "Authorization"), ("grpc_pass", "grpc_set_header", "Authorization"),
        ("fastcgi_pass", "fastcgi_param", "HTTP_AUTHORIZATION"), ("scgi_pass", "scgi_param", "HTTP_AUTHORIZATION"),
        ("uwsgi_pass", "uwsgi_param", "HTTP_AUTHORIZATION"),
    ]

    func add(to review: inout ServerReview) {
        let program = server.target(of: guarded.question)
        for location in [guarded.location] + named where server.target(of: location) != program {
            for (pass, setter, field) in Self.ways where passes(location, by: pass) {
                guard !replaces(location, setter, field) else { continue }
                review.complain(
                    location.place,
                    "\(location.directive.text) passes personal tokens to its application, because no \(setter) replaces "
                        + "\(field). Print the configuration again with SIGNIN_PERSONAL_TOKENS, and add here: "
                        + "\(setter) \(field) \(value);"
                )
            }
        }
    }

    /// The locations without a guard of their own to which the guarded one hands requests over.
    private var named: [NginxLocation] {
        let location = guarded.location
        let last = (location.effective("try_files") + location.effective("error_page")).compactMap(\.arguments.last)
        return server.locations.filter { $0.kind == .named && last.contains($0.path) }
    }

    private func passes(_ location: NginxLocation, by name: String) -> Bool {
        let block = location.directive.block
        return !(block + ["if", "limit_except"].flatMap { block.named($0) }.flatMap(\.block)).named(name).isEmpty
    }

    private func replaces(_ location: NginxLocation, _ setter: String, _ field: String) -> Bool {
        location.effective(setter).map(\.arguments).contains { words in
            words.count > 1 && words[0].lowercased() == field.lowercased() && words[1] != "$http_authorization"
        }
    }

    /// The variable of print-config with `Authorization` for the application, or an empty text if the operator wrote the guard.
    private var value: String {
        let site = NginxGuard.question(of: guarded.location).flatMap(NginxGuard.site)
        return site.map { "$signin_\($0)_passed" } ?? "\"\""
    }
}
