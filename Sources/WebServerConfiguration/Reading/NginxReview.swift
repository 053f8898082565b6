/// Finds unsafe guards in a configuration of nginx.
struct NginxReview {
    private let text: String
    private let source: SourcePlace
    private let directives: [NginxDirective]

    init(_ text: String, source: String) {
        self.text = text
        self.source = SourcePlace(file: source, line: 1)
        directives = NginxDump(text, source: source).directives
    }

    func add(to review: inout ServerReview) {
        let blocks = directives.named("http")
        guard !blocks.isEmpty else {
            return review.find(.unreadable) { $0.complain(source, missingBlocks) }
        }
        var guards: [NginxGuard] = []
        var programs: [String: SourcePlace] = [:]
        var sites: [IncludedSite] = []
        for http in blocks {
            review.find(.program) { checkUpstreams(http.block, &$0) }
            let servers = http.block.named("server").map { NginxServer($0, http: http.block) }
            for server in servers {
                let one = NginxServerReview(server, among: servers)
                one.add(to: &review)
                guards += one.guards
                programs.merge(one.programs.map { ($0, server.place) }) { first, _ in first }
                sites += server.sites.map(server.included)
            }
            review.find(.bypass) { NginxFolders(servers: servers).add(to: &$0) }
        }
        for http in blocks {
            review.find(.program) { checkPrograms(of: http.block, used: Set(sites.map(\.identifier)), &$0) }
        }
        review.find(.program) { $0.judge(programs: programs, sites: sites, at: source) }
        if let user = directives.named("user").last {
            let names = user.arguments
            let group = names.dropFirst().first
            review.find(.program) {
                $0.judge(user: names.first, group: group, of: Array(programs.keys), at: user.place)
            }
        }
        guard guards.isEmpty, review.problems.isEmpty else { return }
        if programs.isEmpty {
            // nginx -T prints the lines of included files with the names of the files.
            guard text.contains("# configuration file ") || !text.contains("include ") else {
                return review.complain(
                    source,
                    "this is one file of nginx without those that it includes. Run: sudo nginx -T | sudo linkedin-signin check "
                        + "--nginx -"
                )
            }
            review.complain(
                source,
                "no site of this nginx uses linkedin-signin, so nothing is guarded. Add the include lines that print-config "
                    + "nginx --write --lines prints to the server block of the site"
            )
        } else {
            review.note(source, "no location asks linkedin-signin, so nothing is guarded")
        }
    }

    private var missingBlocks: String {
        if let failure = text.split(separator: "\n").first(where: { $0.hasPrefix("nginx: [emerg]") }) {
            return "nginx -T prints no configuration, because nginx -t fails: \(failure.dropFirst("nginx: ".count)). "
                + "Correct this error first"
        }
        if text.allSatisfy(\.isWhitespace) {
            return "there is no text. nginx -T prints no configuration if nginx -t fails: run nginx -t as root, and "
                + "correct the error that it shows"
        }
        return "there is no http block: pass all that `nginx -T` prints"
    }

    /// Finds sites that ask the same program, which knows only the sessions of one site.
    private func checkPrograms(of http: [NginxDirective], used sites: Set<String>, _ review: inout ServerReview) {
        // Files of a site that no server includes may be those of an earlier address of the site.
        let upstreams = http.named("upstream").filter { upstream in
            sites.contains { upstream.arguments == ["signin_" + $0] }
        }
        for upstream in upstreams {
            for address in upstream.addresses {
                guard let other = upstreams.first(where: { $0.addresses.contains(address) }),
                    other.arguments != upstream.arguments
                else { continue }
                review.complain(
                    upstream.place,
                    "\(upstream.text) leads to \(address), as \(other.text) (\(other.place)) does, but each site has a program "
                        + "of its own. Run print-config nginx --write again with the settings of each site"
                )
            }
        }
    }

    private func checkUpstreams(_ http: [NginxDirective], _ review: inout ServerReview) {
        let upstreams = http.named("upstream")
        for upstream in upstreams {
            guard let other = upstreams.first(where: { $0.arguments == upstream.arguments }),
                other.place != upstream.place
            else { continue }
            review.complain(
                upstream.place,
                "\(upstream.text) is also defined at \(other.place), so the guard of one site would ask the program of the other. "
                    + "Give the upstream of each site a name of its own"
            )
        }
    }
}
