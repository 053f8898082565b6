extension NginxGuard {
    /// Variables of nginx with the seconds of the time.
    private static let times = ["$time_iso8601", "$msec", "$time_local"]

    /// Finds a cache of nginx that could admit a visitor to whom linkedin-signin has not answered 200, or that writes session
    /// cookies to a disk.
    func checkCache(_ review: inout ServerReview) {
        guard let cache = question.effective("fastcgi_cache").last, let zone = cache.arguments.first, zone != "off"
        else { return }
        checkPath(of: zone, at: cache.place, &review)
        checkKey(at: cache.place, &review)
        let kept = question.effective("fastcgi_cache_valid").map(\.arguments)
        let stale = question.effective("fastcgi_cache_use_stale").flatMap(\.arguments)
        let ignored = question.effective("fastcgi_ignore_headers").flatMap(\.arguments)
        let isOtherKept = kept.contains { $0.count != 2 || $0[0] != "200" }
        var faults = isOtherKept ? ["caches responses other than 200 (fastcgi_cache_valid)"] : []
        if stale.contains(where: { $0 != "off" }) {
            faults.append(
                "uses expired verdicts (fastcgi_cache_use_stale), so nginx lets a visitor pass who has signed out"
            )
        }
        if ignored.contains("Set-Cookie") { faults.append("caches responses with Set-Cookie (fastcgi_ignore_headers)") }
        for name in ["fastcgi_cache_bypass", "fastcgi_no_cache"] where question.effective(name).isEmpty {
            faults.append(
                "uses kept verdicts for every request, also for those with Authorization or with another method than GET "
                    + "and HEAD, because it has no \(name)"
            )
        }
        for fault in faults { review.complain(cache.place, "\(question.text) \(fault). \(Self.remedy)") }
    }

    private static let remedy = "Use the lines of print-config nginx --cache-verdicts"

    private func checkPath(of zone: String, at place: SourcePlace, _ review: inout ServerReview) {
        let paths = server.http.named("fastcgi_cache_path").filter { directive in
            directive.arguments.contains { $0.hasPrefix("keys_zone=\(zone):") }
        }
        guard let path = paths.first, let directory = path.arguments.first else {
            return review.complain(place, "no fastcgi_cache_path has the keys_zone \(zone) of \(question.text)")
        }
        if !review.isInMemory(directory) {
            review.complain(
                path.place,
                "\(directory) is not in memory (tmpfs) on this machine. nginx writes session cookies and names of members "
                    + "there, which must not reach a disk. Use a directory below /run or /dev/shm"
            )
        }
        // nginx otherwise writes each file to fastcgi_temp_path first.
        if !path.arguments.contains("use_temp_path=off") {
            review.complain(
                path.place,
                "nginx writes session cookies to its temporary files too. Add here: use_temp_path=off"
            )
        }
    }

    private func checkKey(at place: SourcePlace, _ review: inout ServerReview) {
        let key = question.effective("fastcgi_cache_key").last?.arguments.first ?? ""
        let rule = question.parameter("SIGNIN_REQUIRE") ?? ""
        let maps = server.http.named("map").filter { $0.arguments.count == 2 && key.contains($0.arguments[1]) }
        let text = ([key] + maps.flatMap { [$0.arguments[0]] + $0.block.map(\.text) }).joined(separator: " ")
        var faults: [String] = []
        if !Self.times.contains(where: text.contains) {
            faults.append("the time (\(Self.times[0])), so nginx uses an expired verdict if the clock is set back")
        }
        let missing = (["$http_cookie"] + (rule.hasPrefix("$") ? [rule] : [])).filter { !text.contains($0) }
        if !missing.isEmpty {
            faults.append("\(missing.joined(separator: " and ")), so nginx mixes the verdicts of visitors or rules")
        }
        for fault in faults {
            review.complain(place, "fastcgi_cache_key of \(question.text) lacks \(fault). \(Self.remedy)")
        }
    }
}
