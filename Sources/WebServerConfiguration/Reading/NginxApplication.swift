/// An application to which nginx passes the requests of a location.
struct NginxApplication {
    /// How nginx passes requests to an application; the raw value is the beginning of the names of its directives.
    enum Way: String, CaseIterable {
        case proxy, grpc, fastcgi, scgi, uwsgi

        /// The directive with the address.
        var pass: String { rawValue + "_pass" }

        /// Whether the application gets header fields, and not parameters.
        var isHTTP: Bool {
            switch self {
            case .proxy, .grpc: true
            case .fastcgi, .scgi, .uwsgi: false
            }
        }

        /// The directive that replaces a field of the request.
        var setter: String { rawValue + (isHTTP ? "_set_header" : "_param") }

        /// The name that a header field of the client has for the application: `Authorization` or `HTTP_AUTHORIZATION`.
        func field(_ header: String) -> String {
            isHTTP ? header : "HTTP_" + header.uppercased().replacing("-", with: "_")
        }
    }

    let location: NginxLocation
    let way: Way

    /// The applications of a location: several if conditions in it choose between them.
    static func all(of location: NginxLocation) -> [NginxApplication] {
        let all = location.passing
        return Way.allCases.filter { !all.named($0.pass).isEmpty }.map { NginxApplication(location: location, way: $0) }
    }

    /// The values that nginx passes for a field in place of the client's, in their order; empty if it passes the client's.
    func values(of field: String) -> [String] {
        location.effective(way.setter).map(\.arguments)
            .filter { $0.count > 1 && $0[0].lowercased() == field.lowercased() }.map { $0[1] }
    }

    /// The include file of print-config for such an application, or the lines to write, as the end of a sentence.
    func remedy(site: String?, _ fields: [IdentityField]) -> String {
        switch way {
        case .proxy, .grpc: "include the -proxy.conf file of print-config nginx --write here"
        case .fastcgi:
            "include the -fastcgi.conf file of print-config nginx --write here, instead of fastcgi_params and fastcgi.conf"
        case .scgi, .uwsgi:
            "add here, where other lines of this kind are not inherited any more: "
                + fields.map { field in
                    "\(way.setter) \(field.parameter) \(site.map { "$signin_\($0)_\(field.variable)" } ?? "\"\"");"
                }.joined(separator: " ")
                + fields.map { " \(way.setter) \(way.field($0.header)) \"\";" }.joined()
        }
    }
}

extension NginxGuard {
    /// Finds a line with which nginx shows pages of the guard in place of a 401 or 403 of an application.
    func checkInterception(_ review: inout ServerReview) {
        let pages = location.effective("error_page").flatMap { $0.arguments.dropLast() }
        guard pages.contains("401") else { return }
        for way in NginxApplication.all(of: location).map(\.way) {
            guard let line = location.effective("\(way.rawValue)_intercept_errors").last, line.arguments == ["on"]
            else {
                continue
            }
            review.warn(
                line.place,
                "with \(line.text), nginx replaces a 401 of the application of \(location.text) by the sign-in, so the browser "
                    + "of a signed-in member loads the page again without end. Write \(line.name) off; into this location"
            )
        }
    }
}
