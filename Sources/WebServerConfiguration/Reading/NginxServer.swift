import Settings

/// A `server` of nginx with all its locations, including nested ones.
struct NginxServer {
    let directive: NginxDirective
    let http: [NginxDirective]
    let locations: [NginxLocation]

    init(_ directive: NginxDirective, http: [NginxDirective]) {
        self.directive = directive
        self.http = http
        locations = Self.locations(in: directive.block, within: [http, directive.block])
    }

    var place: SourcePlace { directive.place }
    var block: [NginxDirective] { directive.block }

    /// The `server` as the location of paths that no other location takes.
    var whole: NginxLocation { NginxLocation(directive, within: [http]) }

    /// The values of `server_name`.
    var names: [String] { block.named("server_name").flatMap(\.arguments) }

    /// The identifiers of the sites whose files of print-config this server includes.
    var sites: [String] {
        block.named("set").compactMap(\.arguments.first).compactMap { variable in
            variable.wholeMatch(of: #/\$signin_(.+)_server/#).map { String($0.1) }
        }
    }

    var listening: [NginxDirective] { block.named("listen") }

    var hasTLS: Bool { listening.contains { $0.arguments.contains("ssl") } }

    /// The addresses to which providers send browsers back.
    var callbacks: [NginxLocation] { routes.filter { SitePath.isCallback($0.path) } }

    /// The pages of linkedin-signin without which nobody can sign in.
    var pages: [NginxLocation] {
        routes.filter { location in
            location.block.named("internal").isEmpty
                && (location.path.hasSuffix(SitePath.login.rawValue) || SitePath.isCallback(location.path))
        }
    }

    /// The locations of linkedin-signin for one address each.
    private var routes: [NginxLocation] {
        locations.filter { $0.kind == .exact && $0.hasAction && target(of: $0) != nil }
    }

    /// The line `rewrite` outside all locations that leads a path to another one, with the other path.
    ///
    /// It is a line in the `if` that the caller names, or else a line that applies to all requests.
    func rewrite(of path: String, in condition: NginxDirective?) -> (line: NginxDirective, target: String)? {
        // No file has the path of a page, or all paths of an application.
        let missing = block.named("if").filter {
            ["if (!-d $request_filename)", "if (!-e $request_filename)", "if (!-f $request_filename)"].contains($0.text)
        }
        let lines = (condition?.block ?? block + missing.flatMap(\.block)).named("rewrite")
        guard let line = lines.first(where: { $0.rewriting(path) != nil }), let target = line.rewriting(path),
            target != path
        else { return nil }
        return (line, target)
    }

    private static func locations(in block: [NginxDirective], within scopes: [[NginxDirective]]) -> [NginxLocation] {
        block.named("location").map { NginxLocation($0, within: scopes) }.flatMap { location in
            [location] + locations(in: location.block, within: location.scopes)
        }
    }

    /// The location that nginx chooses for a path, without regular expressions.
    func location(at path: String) -> NginxLocation? {
        if let exact = locations.first(where: { $0.kind == .exact && $0.path == path }) { return exact }
        let prefixes = locations.filter { $0.isPrefix && path.hasPrefix($0.path) }
        return prefixes.max { $0.path.utf8.count < $1.path.utf8.count }
    }

    /// The named locations to which a location can hand requests over; nginx does not ask a guard again there.
    func locations(after location: NginxLocation) -> [NginxLocation] {
        let last = (location.effective("try_files") + location.effective("error_page")).compactMap(\.arguments.last)
        return locations.filter { $0.kind == .named && last.contains($0.path) }
    }

    /// The addresses of the upstream that a location passes requests to, or the address itself if it names no upstream.
    func target(of location: NginxLocation) -> String? {
        let addresses = addresses(of: location)
        return addresses.isEmpty ? nil : addresses.sorted().joined(separator: " ")
    }

    /// Each address to which nginx can pass the requests of a location; empty if it passes them to no FastCGI program.
    func addresses(of location: NginxLocation) -> [String] {
        guard let pass = location.block.named("fastcgi_pass").last?.arguments.first else { return [] }
        let upstream = http.named("upstream").first { $0.arguments.first == pass }
        return upstream?.addresses ?? [pass]
    }

    /// Whether the server tests these variables and rejects requests before nginx chooses a location.
    func refuses(_ variables: [String]) -> Bool {
        let tested = rejections.map { $0.arguments.joined(separator: " ") }.joined(separator: " ")
        // A condition may test another variable that contains these.
        let isTested: (NginxDirective) -> Bool = { $0.arguments.first.map(tested.contains) ?? false }
        let sources =
            block.named("set").filter(isTested)
            + block.named("if").filter { $0.block.named("set").contains(where: isTested) }
        let names = Set(NginxVariables.names(in: ([tested] + sources.map(\.text)).joined(separator: " ")))
        return variables.allSatisfy(names.contains)
    }

    /// Whether the server rejects a request target by a condition on `$request_uri` before nginx chooses a location.
    func refuses(target: String) -> Bool {
        rejections.compactMap(NginxCondition.init).contains { condition in
            condition.variable == "$request_uri" && condition.isOfPattern && condition.holds(for: target)
        }
    }

    /// The conditions of the server whose requests it rejects.
    private var rejections: [NginxDirective] { block.named("if").filter { $0.block.contains(where: \.isRejection) } }
}
