/// Finds unsafe guards in a configuration of nginx.
struct NginxReview {
    private let source: SourcePlace
    private let directives: [NginxDirective]
    /// The error of `nginx -T`, if the text has one.
    private let failure: Substring?
    private let isEmpty: Bool

    init(_ text: String, source: String) {
        self.source = SourcePlace(file: source, line: 1)
        directives = NginxDump(text, source: source).directives
        failure = text.split(separator: "\n").first { $0.hasPrefix("nginx: [emerg]") }
        isEmpty = text.allSatisfy(\.isWhitespace)
    }

    func add(to review: inout ServerReview) {
        let blocks = directives.named("http")
        guard !blocks.isEmpty else {
            return review.complain(source, missingBlocks)
        }
        var guards = 0
        var programs: Set<String> = []
        var sites: Set<String> = []
        for http in blocks {
            checkUpstreams(http.block, &review)
            for directive in http.block.named("server") {
                let server = NginxServer(directive, http: http.block)
                let one = NginxServerReview(server)
                guards += one.add(to: &review)
                programs.formUnion(one.programs)
                sites.formUnion(server.sites)
            }
        }
        review.judge(programs: programs, sites: sites, at: source)
        guard guards == 0, review.problems.isEmpty else { return }
        if programs.isEmpty {
            review.complain(
                source,
                "no site of this nginx uses linkedin-signin, so nothing is guarded. Add the include lines that print-config "
                    + "nginx --write prints to the server block of the site"
            )
        } else {
            review.note(source, "no location asks linkedin-signin, so nothing is guarded")
        }
    }

    private var missingBlocks: String {
        if let failure {
            return "nginx -T prints no configuration, because nginx -t fails: \(failure.dropFirst("nginx: ".count)). "
                + "Correct this error first"
        }
        if isEmpty {
            return "there is no text. nginx -T prints no configuration if nginx -t fails: run nginx -t as root, and "
                + "correct the error that it shows"
        }
        return "there is no http block: pass all that `nginx -T` prints"
    }

    private func checkUpstreams(_ http: [NginxDirective], _ review: inout ServerReview) {
        var first: [String: SourcePlace] = [:]
        for upstream in http.named("upstream") {
            guard let name = upstream.arguments.first else { continue }
            guard let other = first[name] else {
                first[name] = upstream.place
                continue
            }
            review.complain(
                upstream.place,
                "upstream \(name) is also defined at \(other), so the guard of one site would ask the program of the other. "
                    + "Give the upstream of each site a name of its own"
            )
        }
    }
}
