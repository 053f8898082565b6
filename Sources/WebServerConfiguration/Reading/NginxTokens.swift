extension NginxGuard {
    /// Finds applications behind this guard that get the personal tokens of scripts.
    func checkTokens(_ review: inout ServerReview) {
        let program = server.target(of: question)
        let locations = ([location] + server.locations(after: location)).filter { server.target(of: $0) != program }
        for application in locations.flatMap(NginxApplication.all) {
            let (setter, field) = (application.way.setter, application.way.field("Authorization"))
            guard application.values(of: field).allSatisfy({ $0 == "$http_authorization" }) else { continue }
            // Without files of print-config, no variable has the values of `Authorization` for the application.
            let value = site.map { "$signin_\($0)_passed" } ?? "\"\""
            let location = application.location
            review.complain(
                location.place,
                "\(location.text) passes personal tokens to its application, because no \(setter) replaces \(field). Print the "
                    + "configuration again with SIGNIN_PERSONAL_TOKENS, and add here: \(setter) \(field) \(value);"
            )
        }
    }
}
