import Encoding
import HTTP

extension SiteCheck {
    /// Sends a name and a password that nobody has, as `curl -u name:x` does.
    ///
    /// Web servers make `REMOTE_USER` of the name. The command has no session, so it cannot see what an application behind
    /// the guard receives.
    func checkPassword(at path: String, _ remedies: WebServerRemedies) async -> Report {
        var report = Report()
        let subject = "\(site.origin)\(path) with a password"
        let credentials = "Basic " + Base64.encode(Array("linkedin-signin-doctor:x".utf8))
        let answer: ClientResponse
        do throws(TransportError) {
            answer = try await get(path, headers: [("Authorization", credentials)])
        } catch {
            report.add(.notChecked, subject, "no answer to a request with a name and a password: \(error.detail)")
            return report
        }
        switch answer.status {
        case 200..<300:
            let lines = remedies(
                nginx: ["remove satisfy any from the location, or let it admit nobody by a password"],
                lighttpd: ["remove auth.require for this path, or the users whom it admits"]
            )
            let what = "HTTP \(answer.status) without a session, with an invented name and password"
            report.add(.guardBypassed, subject, what, remedies: lines + remedies.print)
        case 429, 500...599:
            report.add(.notChecked, subject, "HTTP \(answer.status) to a request with a name and a password")
        default:
            report.pass(subject, "an invented name and password open nothing")
            let what =
                "whether the application gets REMOTE_USER from a member's client, as with curl -u name:x, cannot be seen "
                + "without a session"
            report.add(.notChecked, subject, what, remedies: remedies.print)
        }
        return report
    }
}
