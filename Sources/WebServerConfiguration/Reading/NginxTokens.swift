/// Finds applications behind a guard that get the personal tokens of scripts.
struct NginxTokens {
    let guarded: NginxGuard

    func add(to review: inout ServerReview) {
        let server = guarded.server
        let program = server.target(of: guarded.question)
        let locations = [guarded.location] + server.locations(after: guarded.location)
        for location in locations where server.target(of: location) != program {
            for application in NginxApplication.all(of: location) {
                let (setter, field) = (application.way.setter, application.way.field("Authorization"))
                guard application.values(of: field).allSatisfy({ $0 == "$http_authorization" }) else { continue }
                review.complain(
                    location.place,
                    "\(location.text) passes personal tokens to its application, because no \(setter) replaces "
                        + "\(field). Print the configuration again with SIGNIN_PERSONAL_TOKENS, and add here: "
                        + "\(setter) \(field) \(value);"
                )
            }
        }
    }

    /// The variable of print-config with `Authorization` for the application, or an empty text if the operator wrote the guard.
    private var value: String { guarded.site.map { "$signin_\($0)_passed" } ?? "\"\"" }
}
