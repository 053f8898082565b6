/// Header fields that linkedin-signin and browsers send each other, and a setting with which lighttpd replaces them.
private struct LighttpdFields {
    let setting: String
    /// The fields that the pages need.
    let ofPages: Set<String>
    /// The fields that a guard needs for a whole guarded location; below it, an operator may have a part for scripts.
    let ofGuards: Set<String>
    /// The fields that a guard needs for each path.
    let ofPaths: Set<String>
    let effect: @Sendable (String) -> String

    static let all = [
        LighttpdFields(
            setting: "setenv.set-request-header",
            ofPages: [
                "accept", "authorization", "content-type", "cookie", "origin", "sec-fetch-dest", "sec-fetch-mode",
                "sec-fetch-site",
            ],
            // An application behind a guard may need another Authorization.
            ofGuards: ["accept", "sec-fetch-dest", "sec-fetch-mode"],
            ofPaths: ["cookie"],
            effect: { "request, so linkedin-signin does not get the \($0) of the browser" }
        ),
        LighttpdFields(
            setting: "setenv.set-response-header",
            ofPages: ["location", "set-cookie"],
            ofGuards: ["location", "set-cookie"],
            ofPaths: [],
            effect: { "response, so no browser gets the \($0) of linkedin-signin" }
        ),
    ]
}

extension LighttpdReview {
    /// Finds header fields that lighttpd replaces before linkedin-signin or a browser gets them.
    func checkFields(_ review: inout ServerReview) {
        for fields in LighttpdFields.all {
            for (scope, setting) in scopes.having(fields.setting) {
                let conditions = scope.conditions.filter(\.isOfBrowser)
                let verdict = LighttpdCondition.verdict(on: conditions)
                let needed = needed(fields, in: scope)
                let names = setting.value.members.compactMap(\.key).filter { name in
                    // A guard sends a browser to the provider if the browser accepts a page.
                    let isHarmless =
                        name.lowercased() == "accept" && setting.value[name]?.text?.contains("text/html") == true
                    return needed.contains(name.lowercased()) && !isHarmless
                }
                guard verdict.mayHold, !names.isEmpty else { continue }
                let text = names.joined(separator: ", ")
                review.complain(
                    setting.place,
                    "\(fields.setting) of \(scope.text) replaces \(text) of each \(fields.effect(text)), and visitors cannot sign in "
                        + "or use all pages. Remove \(text) from this line, or write the line in a condition without the pages of "
                        + "linkedin-signin and without guarded paths",
                    isCertain: conditions.isEmpty || verdict.requests != nil
                )
            }
        }
    }

    /// The fields that linkedin-signin needs for the requests to which a block applies.
    private func needed(_ fields: LighttpdFields, in scope: LighttpdScope) -> Set<String> {
        let isOfPages = sites.contains { site in site.paths.contains { site.mayApply(scope, to: $0) } }
        let near = guards.filter { guarded in
            scope.mayHold(below: guarded.prefix) && sites.contains { $0.mayApply(scope, with: guarded) }
        }
        let isOfGuard = near.contains { guarded in
            scope.conditions.allSatisfy { !$0.isURL || $0.holds(for: guarded.prefix) }
        }
        return (isOfPages ? fields.ofPages : []).union(isOfGuard ? fields.ofGuards : [])
            .union(near.isEmpty ? [] : fields.ofPaths)
    }
}
