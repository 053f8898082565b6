import HTTP
import Settings

import struct FoundationEssentials.Data
import class FoundationEssentials.JSONDecoder

/// Finds out what of a request arrives at the program.
struct ParameterCheck: Sendable {
    let visitor: SiteCheck
    let remedies: WebServerRemedies

    /// The variables without which the program does not know what the client asked for, or who asked.
    private static let needed = ["REQUEST_METHOD", "QUERY_STRING", "REQUEST_URI", "REMOTE_ADDR", "CONTENT_TYPE"]
    /// At least one of these has the path.
    private static let paths = ["SCRIPT_NAME", "PATH_INFO", "DOCUMENT_URI"]
    private static let body = Array(String(repeating: "a", count: 3_000).utf8)

    /// Lets the program describe a POST request that went through the web server.
    func run() async -> Report {
        let subject = "POST \(visitor.site.origin)\(visitor.path(.login))"
        // Another server could show the proof to this site, and so learn what its web server passes.
        guard visitor.site.origin == visitor.configuration.mount.origin else {
            let what = "the proof of the server key is sent only to \(visitor.configuration.mount.origin)"
            return Report(.notChecked, subject, what)
        }
        guard let proof = visitor.proof else { return Report(keyUnreadableFor: subject) }
        guard let answer = try? await describe(with: proof) else {
            return Report(.siteUnreachable, subject, "no response")
        }
        guard let seen = answer.seen else {
            let what =
                "HTTP \(answer.status): the program does not know the key of this command, or the cookie did not reach the program"
            return Report(.notChecked, subject, what)
        }
        return judge(seen, subject)
    }

    /// Sends a request that the program describes.
    private func describe(
        with proof: String,
        headers: [(String, String)] = []
    ) async throws(TransportError) -> (status: Int, seen: RequestDescription?) {
        var request = ClientRequest(.post, visitor.site.origin + visitor.path(.login) + "?doctor=1", body: Self.body)
        try? request.headers.set(.contentType, "text/plain")
        let answer = try await visitor.send(request, cookie: proof, headers: headers)
        guard answer.status == 200 else { return (answer.status, nil) }
        return (200, try? JSONDecoder().decode(RequestDescription.self, from: Data(answer.body)))
    }

    private func judge(_ seen: RequestDescription, _ subject: String) -> Report {
        var report = Report()
        var missing = Self.needed.filter { seen.variables[$0] == nil }
        if !Self.paths.contains(where: { seen.variables[$0] != nil }) { missing.append("SCRIPT_NAME") }
        if !missing.isEmpty {
            let what = "missing: \(missing.joined(separator: ", "))"
            report += Report(
                .parametersMissing,
                subject,
                what,
                remedies: SiteCheck.parameterLines(remedies) + remedies.print
            )
        }
        let duplicates = seen.variables.filter { $0.value > 1 }.keys.sorted()
        if !duplicates.isEmpty {
            let lines = remedies(
                nginx: ["remove the second fastcgi_param, or include fastcgi_params only once"],
                lighttpd: ["remove the names from setenv.add-environment"]
            )
            let what = "more than once: \(duplicates.joined(separator: ", "))"
            report += Report(.parametersDuplicate, subject, what, remedies: lines)
        }
        let proxied = ["HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP"].filter { seen.variables[$0] != nil }
        if seen.isFromLoopback, !proxied.isEmpty {
            let lines = remedies(
                nginx: ["set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For; with the address of the proxy"],
                lighttpd: ["mod_extforward, and extforward.forwarder = ( \"127.0.0.1\" => \"trust\" )"]
            )
            let what = "a proxy adds \(proxied.joined(separator: ", ")), and REMOTE_ADDR is an address of this machine"
            report += Report(.addressShared, subject, what, remedies: lines)
        }
        if seen.body != Self.body.count {
            let lines = remedies(
                nginx: [
                    "remove fastcgi_pass_request_body off from location = \(visitor.path(.login)) and the other exact paths"
                ],
                lighttpd: ["use \"mode\" => \"responder\", the default, for the exact paths"]
            )
            report += Report(.bodyLost, subject, "\(seen.body) of \(Self.body.count) bytes arrived", remedies: lines)
        }
        if report.findings.isEmpty {
            report += Report(passed: subject, "\(seen.variables.count) parameters and the whole body arrive")
        }
        return report
    }

    /// Sends headers that only the web server may set for an application.
    ///
    /// What an application behind the site receives cannot be seen from here, only whether the web server rejects them.
    func identityHeaders() async -> Report {
        var report = Report()
        let (accepted, unclear) = await responses()
        if !unclear.isEmpty { report += Report(.notChecked, "identity headers", unclear.joined(separator: "; ")) }
        if accepted.isEmpty, unclear.isEmpty {
            report += Report(passed: "identity headers", "requests with X-Auth-… headers are rejected")
        }
        if !accepted.isEmpty {
            let lines = remedies(
                nginx: ["the lines with $signin_…_claims of the printed configuration, in the server block"],
                lighttpd: ["the lines with $REQUEST_HEADER[\"X-Auth-Subject\"] of the printed configuration"]
            )
            let what =
                "\(accepted.joined(separator: ", ")) of a client is not rejected at \(visitor.path(.login)); whether an "
                + "application receives it cannot be seen from here"
            report += Report(.identityAccepted, visitor.site.origin, what, remedies: lines)
        }
        return report
    }

    /// The header fields that the site accepts, and those about which the answer says nothing.
    ///
    /// CGI makes one variable of a name with hyphens, underscores or periods. A server may ignore the latter two, so only the
    /// program can say whether they arrive.
    private func responses() async -> (accepted: [String], unclear: [String]) {
        var (accepted, unclear): ([String], [String]) = ([], [])
        let proof = visitor.site.origin == visitor.configuration.mount.origin ? visitor.proof : nil
        for separator in proof == nil ? ["-"] : ["-", "_", "."] {
            for field in visitor.identityFields {
                let name = field.replacing("-", with: separator)
                do throws(TransportError) {
                    let (status, arrives) = try await fate(of: name, proof: separator == "-" ? nil : proof)
                    if arrives { accepted.append(name) }
                    // The printed configuration answers 400 in nginx and 403 in lighttpd; `run` reports a 405.
                    if ![200, 303, 400, 403, 405].contains(status) {
                        unclear.append("HTTP \(status) to a request with \(name)")
                    }
                } catch {
                    unclear.append("no response to a request with \(name): \(error.detail)")
                }
            }
        }
        return (accepted, unclear)
    }

    /// The status of a request with a header field, and whether the field arrives at the program.
    private func fate(of name: String, proof: String?) async throws(TransportError) -> (status: Int, arrives: Bool) {
        let headers = [(name, "linkedin-signin-doctor")]
        guard let proof else {
            let status = try await visitor.get(visitor.path(.login), headers: headers).status
            return (status, status == 303)
        }
        let (status, seen) = try await describe(with: proof, headers: headers)
        let variable = "HTTP_" + name.uppercased().replacing("-", with: "_").replacing(".", with: "_")
        return (status, seen?.variables[variable] != nil)
    }
}
