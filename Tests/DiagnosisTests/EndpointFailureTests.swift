import HTTP
import Settings
import Testing

@testable import Diagnosis

@Suite struct EndpointFailureTests {
    private func endpoint(_ setting: String, _ url: String) -> EndpointCheck.Endpoint {
        EndpointCheck.Endpoint(setting: setting, request: ClientRequest(.get, url), isExpected: { $0 == 200 })
    }

    private let units = UnitCommands(site: nil)

    private var ours: [EndpointCheck.Endpoint] {
        [
            endpoint("A", "https://www.linkedin.com/a"), endpoint("B", "https://www.linkedin.com/b"),
            endpoint("C", "https://api.linkedin.com/c"),
        ]
    }

    private func unreachable(_ endpoint: EndpointCheck.Endpoint, isUnresolved: Bool) -> EndpointFailure {
        let host = WebAddress(endpoint.request.url)?.host ?? ""
        let error = TransportError(.unreachable, detail: "\(host): no route", isUnresolved: isUnresolved)
        return EndpointFailure(error, at: endpoint)
    }

    @Test(arguments: [(true, FindingCode.nameUnresolved), (false, .endpointUnreachable)])
    func `an outage of all servers is one finding`(isUnresolved: Bool, code: FindingCode) {
        let findings = EndpointFailure.report(ours.map { unreachable($0, isUnresolved: isUnresolved) }, units).findings
        #expect(findings.map(\.code) == [code])
        #expect(findings.first?.subject == "A, B www.linkedin.com; C api.linkedin.com")
        #expect(findings.first?.what == "www.linkedin.com: no route; api.linkedin.com: no route")
    }

    @Test(arguments: [
        ("example.org", "systemctl edit linkedin-signin@example.org.service"), (nil, "the service of this site"),
    ])
    func `the remedy for a firewall names the unit of the site`(name: String?, words: String) {
        let units = UnitCommands(site: name.flatMap { InstalledSite(named: $0) })
        let report = EndpointFailure.report([unreachable(ours[0], isUnresolved: false)], units)
        #expect(report.findings.first?.remedies.first?.contains(words) == true)
    }

    @Test func `different reasons are different findings`() {
        let failures = [
            unreachable(ours[0], isUnresolved: false), unreachable(ours[1], isUnresolved: true),
            EndpointFailure(status: 503, at: ours[2]),
        ]
        let codes: [FindingCode] = [.endpointUnreachable, .nameUnresolved, .endpointUnexpected]
        #expect(EndpointFailure.report(failures, units).findings.map(\.code) == codes)
    }

    @Test func `a setting is removed only if it replaces an address of LinkedIn`() {
        for (url, isOwn) in [("https://www.linkedin.com/a", true), ("https://example.com/a", false)] {
            let failure = EndpointFailure(status: 404, at: endpoint("A", url))
            let remedies = EndpointFailure.report([failure], units).findings.flatMap(\.remedies)
            #expect(remedies.contains { $0.contains("remove A") } == !isOwn)
            #expect(CredentialCheck.remedies(forKeysAt: url).contains { $0.contains("SIGNIN_JWKS_URI") } == !isOwn)
        }
    }

    @Test(arguments: [
        (TransportError.TrustFault.expired, "clock"), (.notYetValid, "clock"), (.otherHost, "correct the address"),
        (.unknownAuthority, "ca-certificates"), (.clientCertificateMissing, "ssl.verifyclient"),
        (.handshakeFailed, "PROXY protocol"),
    ])
    func `the remedy for a certificate follows from its fault`(fault: TransportError.TrustFault, remedy: String) {
        #expect(EndpointFailure.trust(fault)[0].contains(remedy))
    }

    @Test func `a consequence is a part of the finding that explains it`() {
        var report = Report()
        report += Report(.endpointUnreachable, "A a", "no route", causing: [.setting("A"), .host("a")])
        report += Report(.keysUnusable, "key set", "no route", explainedBy: [.setting("A")])
        report += Report(.notChecked, "clock", "no date", explainedBy: [.host("a"), .host("b")])
        report += Report(.notChecked, "one", "needs root")
        report += Report(.notChecked, "two", "needs root")
        report += Report(.fileUnreadable, "one", "same")
        report += Report(.fileUnreadable, "two", "same")
        let findings = report.byCause.findings
        #expect(findings.map(\.subject) == ["A a", "one", "two", "clock", "one, two"])
        #expect(findings[0].consequences == ["key set: no route"])
    }
}
