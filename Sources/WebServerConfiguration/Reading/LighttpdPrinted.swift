import Settings

extension LighttpdReview {
    /// Finds what print-config prints for the settings and the pages of this site lack, such as the path of a page that a
    /// setting enabled later.
    func checkPrinted(_ front: FrontEnd, _ review: inout ServerReview) {
        let address = LighttpdConfiguration(front: front).backend.address
        let name = SiteName(front)
        for scope in routes where scope.gateways.contains(where: { $0.address == address }) {
            let site = LighttpdSite(scope)
            // The files of another site lead to the program of the settings.
            guard site == nil || site?.name == name else { continue }
            let missing =
                front.routes(missingIn: scope) + front.timeout(of: scope) + (site == nil ? [LighttpdSite.variable] : [])
            guard !missing.isEmpty else { continue }
            let near = guards.filter { guarded in routes.contains { $0.mayMeet(guarded) } }
            let guarded = near.map { GuardedLocation(path: $0.prefix, rule: $0.rule ?? GuardedLocation.unknownRule) }
            // Files of earlier versions do not have the list of guards.
            let former = IncludedSite(
                identifier: name.identifier,
                fileName: name.fileName,
                guarded: guarded,
                options: ""
            )
            review.lacks(missing, of: site?.included ?? former, at: scope.place)
        }
    }
}

extension FrontEnd {
    /// The paths that are not among the words of the condition, a regular expression that names each path.
    fileprivate func routes(missingIn scope: LighttpdScope) -> [String] {
        guard let condition = scope.block.condition, condition.comparison == "=~" else { return [] }
        let words = condition.value.split { !$0.isLetter && $0 != "-" }
        // The redirect address of a provider that a file adds has two parts.
        let parts = condition.value.split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "/" }
        let names = (words + parts).map { "/" + $0 }
        return visitedRoutes.filter { $0 != "/" && !names.contains($0) }.map { "the path \(mount.path($0))" }
    }

    /// A limit below that of the program; an operator may have raised it.
    fileprivate func timeout(of scope: LighttpdScope) -> [String] {
        let hosts = scope.block.setting("fastcgi.server")?.value.members.flatMap(\.value.members) ?? []
        let limits = hosts.compactMap { $0.value["read-timeout"]?.text }.compactMap { Int($0) }
        guard let limit = limits.min(), limit < readTimeout else { return [] }
        return ["\"read-timeout\" => \(readTimeout)"]
    }
}
