extension NginxParts {
    /// The directory for verdicts.
    ///
    /// It is directly in /run, where nginx, which starts as root, can create it.
    private var verdictDirectory: String { "/run/linkedin-signin-verdicts-\(name.fileName)" }

    /// No identifier of a site contains `-`, so it is the only zone of this name.
    private var verdictZone: String { "\(id)-verdicts" }

    /// The cache for the `http` block; empty unless nginx keeps verdicts.
    var verdictCache: [String] {
        guard let life = front.verdictLife else { return [] }
        return [
            #"""
            # nginx keeps verdicts for \#(life.seconds) s (--cache-verdicts). Their files contain session cookies and names of members, so
            # the directory must be in memory, as /run is. nginx creates it with mode 0700 for the user of its workers.
            # keys_zone has room for about 250,000 questions; in a smaller one, nginx rejects requests when many members
            # ask within a second. It uses only as much memory as it needs. With a shorter time in inactive, nginx
            # writes an alert ("ignore long locked inactive cache entry") about a slow answer.
            fastcgi_cache_path \#(verdictDirectory)
                levels=2 keys_zone=\#(verdictZone):32m max_size=64m inactive=10s
                use_temp_path=off manager_files=1000;

            # A verdict is used and kept only for GET or HEAD without Authorization: then it depends on nothing but the
            # cookies. linkedin-signin is asked about all other requests.
            map "$request_method $http_authorization" $\#(id)_unkept {
                "GET " "";
                "HEAD " "";
                default 1;
            }

            # It is kept only with a session cookie. nginx looks for that cookie only when it could keep a verdict.
            map $http_cookie $\#(id)_nobody { "~__Host-session=" ""; default 1; }

            # What a verdict is about, beside the cookies: the program, the rule and the period. Without the period, nginx
            # would use a verdict for up to a second longer, and for much longer after the clock is set back.
            map \#(life.clock) $\#(id)_asked {
                volatile;
            \#(life.periods(after: "\(address);$\(id)_rule;").joined(separator: "\n").indented(by: 4))
            }
            """#
        ]
    }

    /// The size of the buffer for the answer to a question with a cache, in kilobytes.
    ///
    /// 32 KB is the maximum size of all cookies of a request with the default of `large_client_header_buffers`.
    static let cachedHeader = 32 + 8

    /// The number of files with verdicts that each worker of nginx keeps open for a site.
    ///
    /// With the usual limit of 1024 open files, nginx on Debian has 256 beside its 768 connections.
    private static let openFiles = 200

    /// The lines for a location that asks linkedin-signin; empty unless nginx keeps verdicts.
    ///
    /// A location inherits each directive that it lacks, so all that could weaken the cache is set.
    var verdictUse: [String] {
        guard let life = front.verdictLife else { return [] }
        return [
            "# Kept verdicts: only 200, only for the same question and the same cookies, and never after their end.",
            "fastcgi_cache \(verdictZone);",
            "fastcgi_cache_key \"$\(id)_asked;$http_cookie\";",
            "fastcgi_cache_valid 200 \(life.seconds)s;",
            "fastcgi_cache_methods GET HEAD;",
            "# From the second question on: a file for a visitor who asks only once would cost more than it saves.",
            "fastcgi_cache_min_uses 2;",
            "fastcgi_cache_bypass $\(id)_unkept;",
            "fastcgi_no_cache $\(id)_unkept $\(id)_nobody;",
            "fastcgi_cache_use_stale off;",
            "fastcgi_cache_background_update off;",
            "fastcgi_cache_revalidate off;",
            "# With a lock, visitors who ask at the same time would wait for each other.",
            "fastcgi_cache_lock off;",
            "# A single entry replaces those of the site, which could make nginx keep responses with Set-Cookie.",
            "fastcgi_ignore_headers X-Accel-Limit-Rate;",
            "fastcgi_buffering on;",
            "# To open a file costs more than to read it, so each worker keeps files open while they are used.",
            "# The limit of open files (worker_rlimit_nofile, usually 1024) must have room for them beside",
            "# worker_connections. nginx opens a file again as soon as it has kept a newer verdict, and looks once a",
            "# second whether the file was removed.",
            "open_file_cache max=\(max(Self.openFiles / max(front.guarded.count, 1), 1)) inactive=1s;",
            "open_file_cache_valid 1s;",
            "open_file_cache_min_uses 1;",
            "open_file_cache_errors off;",
            "# A buffer contains the cookies of the request, up to 32 KB, and the header of the response. If your site",
            "# has larger large_client_header_buffers, enlarge these too, or requests with long cookies get 502.",
        ]
    }
}
