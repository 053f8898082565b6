extension NginxServerReview {
    /// The names of variables that contain the query.
    private static let queries: Set = ["request", "request_uri", "args", "query_string", "arg_code", "arg_state"]

    /// Finds logs of nginx that contain the query of a callback, and so authorization codes.
    func checkLogs(of callback: NginxLocation, _ review: inout ServerReview) {
        let access = callback.effective("access_log")
        for log in access where log.arguments.first != "off" && holdsQuery(log) {
            review.complain(
                log.place,
                "the access log of \(callback.text) (\(callback.place)) contains the query, and so authorization "
                    + "codes. Write access_log off; there, or use a log_format with $uri instead of $request"
            )
        }
        if access.isEmpty {
            review.complain(
                callback.place,
                "the access log of \(callback.text) is the default one, which contains the query, and so "
                    + "authorization codes. Write access_log off; here"
            )
        }
        guard callback.effective("error_log").last?.arguments.first != "/dev/null" else { return }
        review.complain(
            callback.place,
            "the error log of \(callback.text) contains the query, and so authorization codes, while "
                + "linkedin-signin is down. Write error_log /dev/null crit; here"
        )
    }

    private func holdsQuery(_ log: NginxDirective) -> Bool {
        let format = log.arguments.dropFirst().first { !$0.contains("=") } ?? "combined"
        guard let lines = server.http.named("log_format").last(where: { $0.arguments.first == format }) else {
            // The built-in format of nginx.
            return true
        }
        return lines.arguments.dropFirst().contains { !NginxVariables.names(in: $0).isDisjoint(with: Self.queries) }
    }
}
