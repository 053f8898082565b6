extension NginxServerReview {
    /// Finds applications that could mistake what a client sends for the identity of a member.
    func checkIdentities(_ review: inout ServerReview) {
        let handed = guards.flatMap { server.locations(after: $0.location) }
        let guarded = (guards.map(\.location) + handed).map(\.directive)
        let programs = Set(programs)
        for location in server.locations {
            let addresses = server.addresses(of: location)
            // The program linkedin-signin is not such an application.
            guard addresses.isEmpty || !programs.isSuperset(of: addresses) else { continue }
            for application in NginxApplication.all(of: location) {
                check(application, isGuarded: guarded.contains(location.directive), &review)
            }
        }
    }

    private func check(_ application: NginxApplication, isGuarded: Bool, _ review: inout ServerReview) {
        let fields = review.identities
        let parameters = application.way.isHTTP ? [] : fields.map(\.parameter)
        let missing = parameters.filter { name in
            // Only lines of the configuration can set a parameter whose name does not begin with HTTP_.
            (isGuarded || !application.values(of: name).isEmpty) && !isReplaced(name, of: application)
        }
        let headers = fields.map { application.way.field($0.header) }.filter { !isReplaced($0, of: application) }
        if isGuarded, !missing.isEmpty {
            complain(of: application, missing + headers, &review)
        } else {
            checkHeaders(missing + headers, of: application, &review)
        }
    }

    /// The server file rejects forged identity headers, but nginx before 1.23 sees only the first of several with one name.
    private func checkHeaders(_ missing: [String], of application: NginxApplication, _ review: inout ServerReview) {
        guard !missing.isEmpty else { return }
        let fields = review.identities
        let (location, names) = (application.location, missing.joined(separator: ", "))
        let isSent = missing.contains { name in !fields.contains { application.way.field($0.header) == name } }
        if isSent {
            review.note(
                location.place,
                "\(location.text) passes \(names) from clients to its application: with curl -u name:x, a client "
                    + "that is not signed in is the user “name”. If the application trusts this, "
                    + application.remedy(site: site, fields)
            )
        } else if server.refuses(fields.map { "http_" + $0.nginxName }) {
            review.note(
                location.place,
                "\(location.text) does not set \(names). nginx before 1.23 passes a second header of the same "
                    + "name to its application: \(application.remedy(site: site, fields))"
            )
        } else {
            review.complain(
                location.place,
                "\(location.text) passes \(names) from clients to its application, which could accept a forged "
                    + "identity. A location with a \(application.way.setter) of its own does not inherit others: repeat them, "
                    + "or include the -server.conf file of print-config nginx --write in this server block"
            )
        }
    }

    private func complain(of application: NginxApplication, _ missing: [String], _ review: inout ServerReview) {
        let (location, fields) = (application.location, review.identities)
        let forged = fields.map(\.parameter).filter { name in
            application.values(of: name).last.map(isFromClient) == true
        }
        let reason =
            forged.isEmpty
            ? "" : ", and \(forged.joined(separator: ", ")) is what a client sends, such as name with curl -u name:x"
        review.complain(
            location.place,
            "\(location.text) is guarded, but it does not replace \(missing.joined(separator: ", ")) by the identity "
                + "of the member\(reason). To correct this, \(application.remedy(site: site, fields))"
        )
    }

    /// The site whose variables a location can use.
    private var site: String? {
        guards.lazy.compactMap(\.site).first
    }

    /// Whether the application gets no value of the client for a field.
    private func isReplaced(_ field: String, of application: NginxApplication) -> Bool {
        let values = application.values(of: field)
        // nginx sends a header field for each line; of several parameters, PHP, Perl and most others use the last one.
        let used = application.way.isHTTP ? values[...] : values.suffix(1)
        return !used.isEmpty && !used.contains(where: isFromClient)
    }
}

// MARK: - Values of clients

extension NginxServerReview {
    private func isFromClient(_ value: String) -> Bool { isFromClient(value, depth: 4) }

    /// Whether a value contains a variable that a client sets, also by the `map` or `set` of another variable.
    private func isFromClient(_ value: String, depth: Int) -> Bool {
        NginxVariables.names(in: value).contains { name in
            if ["remote_user", "args", "query_string"].contains(name) { return true }
            if ["http_", "arg_", "cookie_"].contains(where: name.hasPrefix) { return true }
            let maps = server.http.named("map").filter { $0.arguments.last == "$" + name }
            let sources =
                maps.compactMap(\.arguments.first) + [server.block.value(of: "$" + name)].compactMap(\.self)
            return depth > 0 && sources.contains { isFromClient($0, depth: depth - 1) }
        }
    }
}
