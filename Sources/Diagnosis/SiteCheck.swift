import Encoding
package import FastCGI
package import HTTP
import OpenID
package import Settings

import struct FoundationEssentials.Data
import struct FoundationEssentials.Date
import class FoundationEssentials.JSONDecoder

/// Goes through the web server, as a visitor does, and explains what comes back.
package struct SiteCheck: Sendable {
    private(set) var site: WebAddress
    let configuration: Configuration
    let transport: any Transport
    /// The answer of the program itself to `GET /login`; nil if there was none.
    private let direct: Client.Answer?
    /// The cookie with which the program describes a request; nil if the server key cannot be read.
    let proof: String?
    /// The header fields that tell an application who is signed in.
    let identityFields: [String]
    private let guarded: [String]
    /// The `Cookie` field of a signed-in member; nil if there is none.
    let member: String?

    /// - Parameters:
    ///   - site: The address of the site; its path has no effect.
    ///   - configuration: The settings.
    ///   - transport: Reports certificates.
    ///   - direct: The answer of the program itself to `GET /login`; nil if there was none.
    ///   - proof: `name=value` of the cookie with which the program describes a request; nil if there is none.
    ///   - identityFields: The header fields that tell an application who is signed in.
    ///   - guarded: Paths that need a session.
    ///   - member: The `Cookie` field of a signed-in member, who may open these paths; nil if there is none.
    package init(
        _ site: WebAddress,
        _ configuration: Configuration,
        transport: any Transport,
        direct: Client.Answer?,
        proof: String?,
        identityFields: [String],
        guarded: [String],
        member: String?
    ) {
        self.site = site
        self.configuration = configuration
        self.transport = transport
        self.direct = direct
        self.proof = proof
        self.identityFields = identityFields
        self.guarded = guarded
        self.member = member
    }

    package func run() async -> Report {
        if let other = otherSite { return other }
        let login: ClientResponse
        do throws(TransportError) {
            let query = configuration.queryOfFirst
            login = try await get(path(.login) + (query.isEmpty ? "" : "?\(query)"))
        } catch {
            return unreachable(error)
        }
        var report = Report()
        let base = configuration.mount.origin
        if site.origin != base {
            if let address = WebAddress(login.headers[.location] ?? ""), address.origin == base, login.status != 303 {
                report += Report(passed: site.origin, "redirects to \(base)")
                var other = self
                other.site = address
                report += await other.run()
                return report
            }
            let judged = judge(login: login)
            let isOther = login.status == 303 && !judged.findings.isEmpty
            let lines =
                isOther
                ? ["name the settings of \(site.origin) with --site or --settings-file, or correct --url"]
                : ["redirect \(site.origin) to \(base) in the web server", "or set SIGNIN_BASE_URL"]
            let what = ["SIGNIN_BASE_URL is at \(base)"] + judged.findings.map(\.what)
            report += Report(
                .siteOtherAddress,
                site.origin,
                (isOther ? what : Array(what.prefix(1))).joined(separator: "; "),
                remedies: lines
            )
            if isOther { return report }
        }
        report += EndpointCheck.certificate(login.certificateEnd, of: site.authority, now: Date())
        let judged = judge(login: login)
        report += judged
        guard judged.findings.isEmpty else { return report }
        let remedies = WebServerRemedies(login.headers, of: configuration.site)
        report += await checkCookies(of: login, remedies)
        report += await checkOtherCallbacks(remedies)
        report += await checkLongHeader(remedies)
        report += await ParameterCheck(visitor: self, remedies: remedies).run()
        report += await ParameterCheck(visitor: self, remedies: remedies).identityHeaders()
        for path in guarded { report += await GuardCheck(visitor: self, path: path, remedies: remedies).run() }
        return report
    }

    /// The only finding about the address of another site of this machine.
    private var otherSite: Report? {
        let (address, base) = (site.origin, configuration.mount.origin)
        guard address != base else { return nil }
        let other = InstalledSite.first(except: configuration.site) { sources in
            sources.baseURL.flatMap { WebAddress($0) }?.origin == address
        }
        guard let other else { return nil }
        let what = "is the address of \(other.service), and SIGNIN_BASE_URL of these settings is at \(base)"
        let remedies = ["run: linkedin-signin doctor\(other.option) --url \(address)"]
        return Report(.siteOtherAddress, address, what, remedies: remedies)
    }

    func path(_ path: SitePath) -> String {
        configuration.mount.path(path.rawValue)
    }

    /// Asks for a path of the site, as a script would.
    func get(
        _ path: String,
        cookie: String? = nil,
        headers: [(String, String)] = []
    ) async throws(TransportError)
        -> ClientResponse
    {
        try await send(ClientRequest(.get, site.origin + path), cookie: cookie, headers: headers)
    }

    func send(
        _ request: ClientRequest,
        cookie: String? = nil,
        headers: [(String, String)] = []
    ) async throws(TransportError) -> ClientResponse {
        var request = request
        for (name, value) in [("Accept", "application/json"), ("Cookie", cookie ?? "")] + headers where !value.isEmpty {
            guard let name = HeaderName(name) else { continue }
            try? request.headers.set(name, value)
        }
        return try await transport.send(request)
    }

    private func unreachable(_ error: TransportError) -> Report {
        guard error.code == .untrusted else {
            if site.isSecure, let proxy = ProxyVariables.used(for: site.host) {
                return Report(
                    .siteProxy,
                    site.origin,
                    "\(error.detail), through the proxy \(proxy); this command and the program connect to the site without the "
                        + "proxy only if no_proxy contains \(site.host)",
                    remedies: [
                        UnitCommands(site: configuration.site).correction(ofProxy: proxy),
                        "or write no_proxy=\(site.host) where \(proxy.prefix { $0 != "=" }) is set, and restart the service",
                    ],
                    explainedBy: [.failingProxy(proxy)]
                )
            }
            let remedies = ["is the web server running? systemctl status nginx lighttpd", "see its error log"]
            return Report(.siteUnreachable, site.origin, error.detail, remedies: remedies, causing: [.unitStopped])
        }
        let remedies = EndpointFailure.trust(error.trustFault, of: site)
        return Report(.endpointUntrusted, site.origin, error.detail, remedies: remedies)
    }

    // MARK: - GET /login

    private func judge(login answer: ClientResponse) -> Report {
        let subject = "\(site.origin)\(path(.login))"
        let remedies = WebServerRemedies(answer.headers, of: configuration.site)
        if answer.status == 303 {
            let headers = answer.headers
            let lines = remedies(
                nginx: ["fastcgi_pass names the socket of SIGNIN_LISTEN, not that of another site"],
                lighttpd: ["\"socket\" names the socket of SIGNIN_LISTEN, not that of another site"]
            )
            return LoginAnswer(303, headers).report(of: configuration, subject: subject, .siteOtherProgram, lines)
        }
        let page = String(decoding: answer.body, as: UTF8.self)
        // nginx has no other sign of this fault than the text of its page.
        let asksForCertificate = page.contains("No required SSL certificate was sent")
        if let error = Self.error(in: answer) {
            if LoginAnswer(answer.status, answer.headers).isTemporary {
                return Report(.notChecked, subject, LoginAnswer.cannotStart(answer.status) + " (\(error))")
            }
            let what = "the program responds with HTTP \(answer.status) \(error): it got another path or method"
            return Report(.parametersMissing, subject, what, remedies: Self.parameterLines(remedies) + remedies.print)
        } else if [502, 503, 504].contains(answer.status) || answer.status == 500 {
            let socket = remedies(
                nginx: ["fastcgi_pass names the socket of SIGNIN_LISTEN; the error log of nginx has the cause"],
                lighttpd: ["\"socket\" names the socket of SIGNIN_LISTEN; the error log of lighttpd has the cause"]
            )
            let obstacle = remedies.obstacle(to: configuration.settings.listen)
            let what = "HTTP \(answer.status)\(obstacle.map { ": \($0.subject): \($0.advice.what)" } ?? "")"
            // nginx has other statuses for a program that does not respond.
            let isOfLine = remedies.isNginx && [500, 503].contains(answer.status)
            let advice = isOfLine ? remedies.review + socket : socket + remedies.review
            let lines = obstacle.map { [$0.advice.remedy].compactMap(\.self) } ?? advice
            return Report(.siteGateway, subject, what, remedies: lines, explainedBy: [.programStopped])
        } else if (301...308).contains(answer.status),
            let place = answer.headers[.location].flatMap({ WebAddress($0) }),
            place.origin != site.origin
        {
            let what = "redirects to \(place.origin); SIGNIN_BASE_URL is at \(configuration.mount.origin)"
            let lines = ["if \(place.origin) is the address of the site: SIGNIN_BASE_URL=\(place.origin)"]
            return Report(.siteOtherAddress, subject, what, remedies: remedies.review + lines)
        } else if answer.status == 400, !asksForCertificate {
            let what = "HTTP 400: the program got no path, no method or malformed parameters"
            return Report(.parametersMissing, subject, what, remedies: Self.parameterLines(remedies) + remedies.print)
        } else {
            let what =
                asksForCertificate
                ? "HTTP \(answer.status) “No required SSL certificate was sent”: nginx demands a client certificate"
                : "HTTP \(answer.status), which is not a response of linkedin-signin"
            let access = remedies(
                nginx: [
                    "remove auth_basic and deny from the blocks around location = \(path(.login)), or allow this machine there"
                ],
                lighttpd: ["remove auth.require, url.access-deny and url.access-allow for \(path(.login))"]
            )
            let certificate = Array(EndpointFailure.clientCertificate.dropFirst())
            let lines = [400: certificate, 401: access, 403: access][answer.status] ?? []
            return Report(.siteRouteMissing, subject, what, remedies: lines + remedies.print)
        }
    }

    static func parameterLines(_ remedies: WebServerRemedies) -> [String] {
        remedies(
            nginx: [
                "all of these in the same block: fastcgi_param REQUEST_METHOD $request_method; "
                    + "fastcgi_param SCRIPT_NAME $fastcgi_script_name; fastcgi_param QUERY_STRING $query_string; "
                    + "fastcgi_param REQUEST_URI $request_uri; fastcgi_param REMOTE_ADDR $remote_addr; a block with a "
                    + "fastcgi_param of its own inherits none"
            ],
            lighttpd: ["\"check-local\" => \"disable\" in the fastcgi.server of the path"]
        )
    }

    /// The code in an error answer of the program; nil for other answers.
    static func error(in answer: ClientResponse) -> String? {
        struct Body: Decodable {
            let error: String
        }
        guard let error = (try? JSONDecoder().decode(Body.self, from: Data(answer.body)))?.error else { return nil }
        let isCode = !error.isEmpty && error.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == UInt8(ascii: "_") }
        return isCode ? error : nil
    }
}

// MARK: - Cookie and query

extension SiteCheck {
    /// Sends the sign-in cookie back with a callback that says that the member cancelled, which uses nothing up.
    private func checkCookies(of login: ClientResponse, _ remedies: WebServerRemedies) async -> Report {
        let (asked, subject) = ("\(site.origin)\(path(.login))", "\(site.origin)\(path(.callback))")
        guard let field = login.headers.values(.setCookie).first(where: { $0.hasPrefix("__Host-signin-") }) else {
            let lines = remedies(
                nginx: [
                    "remove fastcgi_hide_header Set-Cookie and proxy_hide_header Set-Cookie from location = \(path(.login)) and the "
                        + "blocks around it"
                ],
                lighttpd: ["remove Set-Cookie from setenv.set-response-header"]
            )
            return Report(.cookieLost, asked, "the response has no sign-in cookie", remedies: lines)
        }
        var report = Report()
        let expected = direct?.headers.values(.setCookie).first { $0.hasPrefix("__Host-signin-") }
        if let expected, Self.attributes(expected) != Self.attributes(field) {
            let what =
                "\(Self.attributes(field).joined(separator: "; ")) instead of \(Self.attributes(expected).joined(separator: "; "))"
            let remedy = "remove proxy_cookie_path, proxy_cookie_domain and proxy_cookie_flags from the proxy in front"
            report += Report(.cookieChanged, asked, what, remedies: [remedy])
        }
        guard case .one(let state) = Self.state(in: login) else { return report }
        var query = FormData(["error": "access_denied", "state": state]).encoded
        if configuration.first.options.usesFormPost {
            var form = ClientRequest(.post, site.origin + path(.callback), body: Array(query.utf8))
            try? form.headers.set(.contentType, "application/x-www-form-urlencoded")
            let answer = try? await send(form)
            guard let answer, answer.status == 303, let location = answer.headers[.location] else {
                let what = answer.map { "HTTP \($0.status)" } ?? "no response"
                report += Report(.siteRouteMissing, "POST \(subject)", what, remedies: remedies.print)
                return report
            }
            query = String(location.drop { $0 != "?" }.dropFirst())
        }
        guard
            let answer = try? await get(path(.callback) + "?" + query, cookie: String(field.prefix { $0 != ";" }))
        else {
            report += Report(.siteUnreachable, subject, "no response")
            return report
        }
        switch Self.error(in: answer) {
        case "sign_in_cancelled": report += Report(passed: subject, "the sign-in cookie and the query come back")
        case "state_missing", "unencrypted_cookie_lost":
            let lines = remedies(
                nginx: [
                    "remove fastcgi_param HTTP_COOKIE and fastcgi_pass_request_headers off from location = \(path(.callback)) and "
                        + "the blocks around it",
                    "remove proxy_set_header Cookie from a proxy in front",
                ],
                lighttpd: ["remove Cookie from setenv.set-request-header"]
            )
            report += Report(.cookieLost, subject, "the sign-in cookie does not arrive at the program", remedies: lines)
        case "callback_malformed":
            let lines = remedies(
                nginx: ["fastcgi_param QUERY_STRING $query_string; and REQUEST_URI $request_uri;"],
                lighttpd: ["remove url.rewrite-once for \(path(.callback)), or keep ${qsa} in it"]
            )
            report += Report(.queryLost, subject, "the query does not arrive at the program", remedies: lines)
        case nil where answer.headers[.contentSecurityPolicy] != nil:
            // The program answers with a page only if it does not know that a script asks, and with 403 only if it got the cookie.
            let isCookieLost = answer.status != 403
            let lines = remedies(
                nginx: [
                    isCookieLost
                        ? "remove fastcgi_pass_request_headers off from location = \(path(.callback)) and the blocks around it"
                        : "remove fastcgi_param HTTP_ACCEPT, and proxy_set_header Accept from a proxy in front"
                ],
                lighttpd: ["remove Accept\(isCookieLost ? " and Cookie" : "") from setenv.set-request-header"]
            )
            let fields = isCookieLost ? "Accept and Cookie" : "Accept"
            let what = "the program does not get \(fields) as the client sent them"
            report += Report(isCookieLost ? .cookieLost : .parametersMissing, subject, what, remedies: lines)
        default:
            let what = "HTTP \(answer.status), which is not a response of linkedin-signin to a callback"
            report += Report(.siteRouteMissing, subject, what, remedies: remedies.print)
        }
        return report
    }

    /// Asks for the redirect addresses of the other providers, without a sign-in, which only the program rejects in its own words.
    private func checkOtherCallbacks(_ remedies: WebServerRemedies) async -> Report {
        var report = Report()
        for provider in configuration.providers.dropFirst() {
            let path = provider.redirectURI.dropFirst(configuration.mount.origin.count)
            let subject = site.origin + path
            let answer = try? await get("\(path)?error=access_denied&state=none")
            guard let answer, Self.error(in: answer) != nil else {
                let what = answer.map { "HTTP \($0.status), which is not a response of linkedin-signin to a callback" }
                report += Report(.siteRouteMissing, subject, what ?? "no response", remedies: remedies.print)
                continue
            }
            report += Report(passed: subject, "reaches the program")
        }
        return report
    }

    /// The attributes of a cookie, without its name and value, in a fixed order and spelling.
    private static func attributes(_ field: String) -> [String] {
        field.split(separator: ";").dropFirst().map { $0.filter { $0 != " " }.lowercased() }
            .filter { !$0.hasPrefix("max-age") && !$0.hasPrefix("expires") }.sorted()
    }

    private static func state(in login: ClientResponse) -> FormData.Lookup {
        let location = login.headers[.location] ?? ""
        return FormData(parsing: String(location.drop { $0 != "?" }.dropFirst()))?["state"] ?? .none
    }

    /// Asks for a sign-in with the longest return path, whose answer has the longest header of all.
    private func checkLongHeader(_ remedies: WebServerRemedies) async -> Report {
        let long = "/" + String(repeating: "a", count: ReturnPath.maximumLength - 1)
        let subject = "\(site.origin)\(path(.login))?return_to=…"
        let answer: ClientResponse
        do throws(TransportError) {
            let query = [configuration.queryOfFirst, "return_to=\(long)"].filter { !$0.isEmpty }
            answer = try await get(path(.login) + "?" + query.joined(separator: "&"))
        } catch {
            return Report(.notChecked, subject, "no response: \(error.detail)")
        }
        switch answer.status {
        case 303:
            return Report(passed: subject, "a long header fits")
        // nginx answers 502 if the header of the program's answer is too long.
        case 429, 500, 503, 504:
            return Report(.notChecked, subject, "HTTP \(answer.status)")
        default: break
        }
        let lines = remedies(
            nginx: [
                "set fastcgi_buffer_size to at least 4k, or remove the line",
                "set large_client_header_buffers to at least 4 8k, or remove the line",
            ],
            lighttpd: ["set server.max-request-field-size to at least 8192, or remove the line"]
        )
        let what = "HTTP \(answer.status) to an address of \(long.utf8.count) bytes"
        return Report(.buffersSmall, subject, what, remedies: lines)
    }
}
