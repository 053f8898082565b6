extension LighttpdScope {
    /// The rule that a guard here passes to linkedin-signin; nil if there is none.
    var rule: String? {
        let names = ["setenv.set-environment", "setenv.add-environment"]
        return names.lazy.compactMap { effective($0)?.value["SIGNIN_REQUIRE"]?.text }.first
    }
}

extension LighttpdReview {
    /// Finds a later guard that replaces a guard although its own prefix is not longer.
    func checkOrder(of guarded: LighttpdScope, _ review: inout ServerReview) {
        for other in guards where other.order > guarded.order && other.mayMeet(guarded) {
            guard let rule = other.rule, let own = guarded.rule, rule != own, guarded.prefix.hasPrefix(other.prefix),
                other.chain.compactMap(\.condition).allSatisfy({ $0.mayHold(below: guarded.prefix) })
            else { continue }
            review.complain(
                other.place,
                "the guard of \(other.text) replaces the guard of \(guarded.text) (\(guarded.place)) if both apply, because "
                    + "lighttpd uses the last one: the rule “\(rule)” is in force and not “\(own)”. Move this guard before the "
                    + "other one. Files of print-config lighttpd --write are in the right order if they are included by name order"
            )
        }
    }

    /// Finds error handlers: lighttpd passes a request that it rejects before the guard to such an address, without the guard.
    ///
    /// lighttpd uses `server.error-handler` for each status from 400 on, and `server.error-handler-404` for 403 and 404.
    func checkErrorHandlers(around guarded: LighttpdScope, _ review: inout ServerReview) {
        let near = scopes.filter { $0.mayMeet(guarded) }
        for scope in near {
            guard let setting = scope.block.setting("server.error-handler"), let address = setting.value.text,
                Self.isApplication(address)
            else { continue }
            review.complain(
                setting.place,
                "server.error-handler passes requests that lighttpd rejects to \(address), without a guard: for example, "
                    + "/private/x%0a. Use server.error-handler-404, which lighttpd does not use for malformed paths"
            )
        }
        let handlers = near.compactMap { $0.block.setting("server.error-handler-404") }
        guard let handler = handlers.first(where: { Self.isApplication($0.value.text ?? "") }),
            let denied = guarded.effective("url.access-deny"), !denied.value.members.isEmpty
        else { return }
        review.complain(
            guarded.place,
            "url.access-deny (\(denied.place)) applies in the guarded \(guarded.text). lighttpd passes the requests that it "
                + "rejects to server.error-handler-404 (\(handler.place)), without the guard. Add to this condition: "
                + "url.access-deny = ()"
        )
    }

    /// Whether an application may answer at an error handler; false for a static page, and for an empty text.
    private static func isApplication(_ address: String) -> Bool {
        !address.isEmpty && ![".html", ".htm", ".txt"].contains { address.hasSuffix($0) }
    }
}
