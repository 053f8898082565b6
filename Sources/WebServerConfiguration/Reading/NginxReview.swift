/// Finds unsafe guards in a configuration of nginx.
struct NginxReview {
    private let source: SourcePlace
    private let directives: [NginxDirective]

    init(_ text: String, source: String) {
        self.source = SourcePlace(file: source, line: 1)
        directives = NginxDump(text, source: source).directives
    }

    func add(to review: inout ServerReview) {
        let blocks = directives.named("http")
        guard !blocks.isEmpty else {
            return review.complain(source, "there is no http block: pass all that `nginx -T` prints")
        }
        var guards = 0
        var programs: Set<String> = []
        for http in blocks {
            checkUpstreams(http.block, &review)
            for directive in http.block.named("server") {
                let server = NginxServer(directive, http: http.block)
                let one = NginxServerReview(server)
                guards += one.add(to: &review)
                programs.formUnion(one.programs)
            }
        }
        review.judge(programs: programs, at: source)
        if guards == 0, review.problems.isEmpty {
            review.note(source, "no location asks linkedin-signin, so nothing is guarded")
        }
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
